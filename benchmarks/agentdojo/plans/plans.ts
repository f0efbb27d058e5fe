import type { CallRule, PlanDraft, Slot } from "../../../src/contract/plan.ts";
import type { ParamClass } from "../../../src/contract/words.ts";
import { rulesOf } from "../declarations/rules.ts";
import type { UserTask } from "../read-set.ts";
import type { SuiteName } from "../suite.ts";
import { bankingPlans } from "./banking.ts";
import { chosen } from "./binding.ts";
import { slackPlans } from "./slack.ts";
import { travelPlans } from "./travel.ts";
import { workspacePlans } from "./workspace.ts";

const plans: Readonly<Record<SuiteName, Readonly<Record<number, PlanDraft>>>> = {
  workspace: workspacePlans,
  travel: travelPlans,
  banking: bankingPlans,
  slack: slackPlans,
};
/** Where a planner may put a constant of its own; where a call goes, to what and how much is never one. */
const free: ReadonlySet<ParamClass> = new Set(["time", "memo", "param", "flag"]);

type Planned = Pick<UserTask, "id" | "suite" | "ground_truth">;

/** The reference plan for a user's task by the task's id, such as `agentdojo/banking/user_task_4`; `null` where none was written. */
export function planFor(task: Planned): PlanDraft | null {
  const plan = plans[task.suite][Number(task.id.slice(task.id.lastIndexOf("_") + 1))];
  if (plan === undefined) return null;
  const slots = plan.slots.map((slot, place) => withChosen(slot, { task, sooner: plan.slots.slice(0, place) }));
  return { ...plan, slots };
}

/** A slot with the constants of the planner's choice: those of the task's own call, the same of its tool as the slot is of the plan. */
function withChosen(slot: Slot, { task, sooner }: { task: Planned; sooner: readonly Slot[] }): Slot {
  const nth = sooner.filter(({ tool }) => tool === slot.tool).length;
  const call = task.ground_truth.filter((one) => one.function === slot.tool)[nth];
  const rule = rulesOf[task.suite].find(({ name }) => name === slot.tool);
  const args = Object.entries(slot.args).map(([name, binding]) => {
    const value = call?.args[name];
    if (binding !== chosen || value === undefined) return [name, binding] as const;
    mustBeFree(rule, name);
    return [name, { kind: "constant", value }] as const;
  });
  return { ...slot, args: Object.fromEntries(args) };
}

function mustBeFree(rule: CallRule | undefined, arg: string): void {
  const of = rule?.args[arg]?.class ?? "target";
  if (!free.has(of)) throw new TypeError(`\`${arg}\` of \`${rule?.name}\` is a ${of}, and a planner chooses none`);
}
