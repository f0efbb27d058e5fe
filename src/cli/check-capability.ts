import type { Capability } from "../contract/capability.ts";
import type { AnyEffect } from "../contract/effect.ts";
import { fitToSchema } from "../contract/schema.ts";
import type { Finding } from "./finding.ts";

/** Worked examples that a model needs to see the shape of a decision and of its refusals. */
const neededExamples = 4;

/** What a capability lacks, or says against its own schemas. */
export async function checkCapability(capability: Capability): Promise<readonly Finding[]> {
  const about = `capability \`${capability.name}\``;
  return [
    ...saidOf(capability).map(([level, problem, fix]) => ({ level, about, problem, fix })),
    ...(await misfittingExamples(capability)).map((problem) => ({
      level: "error" as const,
      about,
      problem,
      fix: "mend the example or the schema: a model learns what it is shown",
    })),
  ];
}

type Said = readonly [level: Finding["level"], problem: string, fix: string];

function saidOf({ owner, openTo, refuses, examples, checks, deciding, judge, effects }: Capability): readonly Said[] {
  const said: (Said | false)[] = [
    owner.trim() === "" && ["error", "has no owner", "name in `owner` who answers for it"],
    deciding.kind === "loop" &&
      deciding.reason.trim() === "" && [
        "error",
        "lets a model choose its steps without a reason",
        "say in `reason` why their number and order depend on what is found, or make it a prompt",
      ],
    openTo.length === 0 && ["hint", "is open to nobody: `openTo` is empty", "list the roles that may use it"],
    refuses === null && ["hint", "does not say when it declines", "say it in `refuses`, in words for the model and for people"],
    examples.length < neededExamples && [
      "hint",
      `has ${examples.length} of ${neededExamples} worked examples`,
      "add some to `examples`, with a refusal among them",
    ],
    !checks.some(({ soft }) => soft === undefined) && [
      "hint",
      checks.length === 0 ? "has no checks of its own" : "has soft checks alone",
      "add a check that code can do of what was decided, and leave it hard",
    ],
    deciding.kind !== "rule" &&
      judge === null &&
      effects.length > 0 && [
        "hint",
        "has effects and no judge",
        "let another model look in `judge`, or be sure that checks see all",
      ],
  ];
  return said.filter((one) => one !== false);
}

async function misfittingExamples({ examples, input, decision }: Capability): Promise<readonly string[]> {
  const found = await Promise.all(
    examples.map(async (example, place) => {
      const inputs = await fitToSchema(input, example.inputs);
      if (inputs.kind === "misfits") return `has inputs in example ${place + 1} that do not fit: ${inputs.issues.join(", ")}`;
      const decided = await fitToSchema(decision, example.decision);
      return decided.kind === "misfits"
        ? `has a decision in example ${place + 1} that does not fit: ${decided.issues.join(", ")}`
        : null;
    }),
  );
  return found.filter((problem) => problem !== null);
}

/** What an effect lacks. Its types ask for most of it; a project in plain JavaScript has none. */
export function checkEffect(effect: AnyEffect): readonly Finding[] {
  const about = `effect \`${effect.name}\``;
  const error = (problem: string, fix: string): Finding => ({ level: "error", about, problem, fix });
  // The types say that these are there, see above.
  const { expect, owner }: { expect?: Partial<AnyEffect["expect"]>; owner?: string } = effect;
  return [
    ...((owner ?? "").trim() === "" ? [error("has no owner", "name in `owner` who is called when it goes wrong")] : []),
    ...(typeof expect?.state === "function"
      ? []
      : [
          error(
            "does not say what is true afterwards",
            "give the exact state in `expect.state`, so that done can be told from said",
          ),
        ]),
  ];
}
