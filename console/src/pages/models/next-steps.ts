import type { MigrationView, ModelView } from "../../../../src/contract/model-view.ts";

/** One step: why one takes it, and the command that does. What stands in angle brackets is for whoever runs it to fill in. */
export interface NextStep {
  readonly why: string;
  readonly command: string;
}

/** What to do next with a model. */
export function stepsForModel(
  { model, uses, isPinned, isDue, checkedAt, state }: ModelView,
  { migrations, tenant }: { readonly migrations: readonly MigrationView[]; readonly tenant: string },
): readonly NextStep[] {
  const decides = uses.flatMap(({ of, role }) => (role === "decides" && of !== null ? [of] : []));
  const moving = new Set(migrations.filter((one) => one.from === model && isRunning(one)).map(({ capability }) => capability));
  const others = uses.length - decides.length;
  const isLeaving = isDue || state === "deprecated" || state === "retired";
  return [
    ...(checkedAt === null || state === "unknown" || isPinned === null
      ? [
          {
            why: "Ask the providers for their lists, with the deciding half's own keys.",
            command: "countersign models check --ask",
          },
        ]
      : []),
    ...(isPinned === false
      ? [
          {
            why: "Its id may stand for another model tomorrow: name a fixed version in the definition, then look again.",
            command: "countersign models check",
          },
        ]
      : []),
    ...decides.map((capability) =>
      moving.has(capability)
        ? {
            why: `See how far the move of ${capability} is.`,
            command: `countersign migrate report ${capability} --tenant ${tenant}`,
          }
        : {
            why: isLeaving ? `Move ${capability} to another model.` : `Where ${capability} is to move to another model.`,
            command: `countersign migrate plan ${capability} --tenant ${tenant} --to <provider/id>`,
          },
    ),
    ...(others > 0
      ? [
          {
            why: "Where it does not decide, another model is named in the definition and tried.",
            command: "countersign eval run",
          },
        ]
      : []),
  ];
}

/** What to do next with a migration, by its stage. */
export function stepsForMigration({ capability, stage }: MigrationView, tenant: string): readonly NextStep[] {
  const step = (why: string, name: string, more = ""): NextStep => ({
    why,
    command: `countersign migrate ${name} ${capability} --tenant ${tenant}${more}`,
  });
  const report = step("See both models in one report, and what stands against going on.", "report");
  const back = step("Have the old model decide everything again.", "roll-back");
  switch (stage) {
    case "planned":
      return [
        step("Play the eval cases with both models.", "run"),
        step("Have live requests walked by the new model too, with nothing applied.", "shadow", " --share 0.2"),
      ];
    case "shadow":
      return [
        report,
        step("Let the new model decide a share; a reason is signed.", "canary", ' --share 0.05 --reason "<why>"'),
        back,
      ];
    case "canary_share":
      return [
        report,
        step("Let it decide more.", "canary", ' --share <part> --reason "<why>"'),
        step("End it, once the definition names the new model.", "retire"),
        back,
      ];
    case "rolled_back":
      return [report, step("Begin anew, with other settings or another model.", "plan", " --to <provider/id>")];
    case "retired":
      return [report];
  }
}

/** It still goes on. */
function isRunning({ stage }: Pick<MigrationView, "stage">): boolean {
  return stage === "planned" || stage === "shadow" || stage === "canary_share";
}
