/** What the policy questions of one decision cost: asked for the first time, and asked again by whoever asked before. */
import { openPolicies } from "../../src/cli/open-policies.ts";
import { everything, type Principal } from "../../src/contract/principal.ts";
import type { Policy } from "../../src/guard/policy/policy.ts";

const rounds = 2_000;

export interface PolicyCost {
  readonly questions: number;
  readonly rounds: number;
  readonly newPersonCpuUs: number;
  readonly knownPersonCpuUs: number;
}

/** Measures and tells. */
export async function policy({ notice }: { notice: (line: string) => void }): Promise<object> {
  const cost = policyCost();
  notice(
    `${cost.questions} questions a decision: ${cost.newPersonCpuUs} us CPU for a new person, ${cost.knownPersonCpuUs} us for one who asked before`,
  );
  return { question: "policy", ...cost, limitUs: 500 };
}

/** Measures the questions that one decision with an effect asks, in microseconds of CPU; no database and no model. */
export function policyCost(): PolicyCost {
  const opened = openPolicies();
  // The engine's code is warm after this, and nobody of the measured asked before.
  for (let n = 0; n < 200; n += 1) askAll(opened, employee(`warm-${n}`));
  let next = 0;
  const newcomer = () => {
    next += 1;
    return employee(`new-${next}`);
  };
  const first = measured(newcomer, opened);
  const again = measured(() => employee("emp-1"), opened);
  const questions = countOf(opened);
  return { questions, rounds, newPersonCpuUs: first, knownPersonCpuUs: again };
}

function measured(who: () => Principal, opened: Policy): number {
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n += 1) askAll(opened, who());
  const { user, system } = process.cpuUsage(before);
  return Math.round((user + system) / rounds);
}

/** As the road asks: what may be used, which labels are seen, two queries, one effect, and what its asker sees of it. */
function askAll(opened: Policy, principal: Principal): number {
  const effect = { name: "replace_device", before: { query: "devices.byId" } };
  const rulings = [
    opened.mayUse(principal, { name: "replace_device", openTo: ["employee"], effects: [effect] }),
    opened.mayRead(principal, "devices.ofEmployee"),
    opened.mayRead(principal, "devices.byId"),
    opened.mayPropose(principal, { name: "replace_device", risk: "low" }),
  ];
  const seeing = {
    principal,
    tenant: principal.tenant,
    requestedBy: principal.id,
    onBehalfOf: null,
    route: "auto",
    effects: 1,
  } as const;
  const sight = opened.sightOf(seeing);
  if (rulings.some(({ kind }) => kind === "refused") || sight !== "requester") throw new Error("the policies say another thing");
  return rulings.length + opened.scopes(principal).length + 2;
}

function countOf(opened: Policy): number {
  return askAll(opened, employee("emp-1"));
}

function employee(id: string): Principal {
  return { tenant: "acme", id, roles: ["employee"], attributes: { department: "sales" }, onBehalfOf: null, allow: everything };
}
