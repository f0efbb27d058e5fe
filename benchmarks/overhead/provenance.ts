/** What provenance costs a decision: the sources of a fixed capability's effect, and the effect of a planned loop held to its plan. */
import type { CallRule, PlanDraft } from "../../src/contract/plan.ts";
import type { Source } from "../../src/contract/proposal.ts";
import { checkPlan } from "../../src/guard/provenance/check-plan.ts";
import { afterUse, judgeCall } from "../../src/guard/provenance/judge-call.ts";
import { judgeSources } from "../../src/guard/provenance/judge-sources.ts";
import { afterRead, openPlanned } from "../../src/guard/provenance/session.ts";
import { sha256Digest } from "../../src/store/digest.ts";

const times = 5_000;

/** CPU a decision, in microseconds: of a fixed action template, and of a plan that reads ten records and fills four arguments. */
export function provenanceCost(): { readonly fixedCpuUs: number; readonly plannedCpuUs: number } {
  return { fixedCpuUs: cpuUs(judgeFixed), plannedCpuUs: cpuUs(judgePlanned) };
}

function cpuUs(work: () => boolean): number {
  for (let n = 0; n < 500; n += 1) work();
  const start = process.cpuUsage();
  for (let n = 0; n < times; n += 1) if (!work()) throw new Error("provenance says another thing");
  const { user, system } = process.cpuUsage(start);
  return Math.round(((user + system) / times) * 10) / 10;
}

const fromRecord: Source = { kind: "record", chosenBy: "code", ref: "devices:d1", at: "/id", untrustedInContext: true };
const params = { device: "d1", owner: "emp-1", model: "standard", address: { street: "North Street 1", city: "Northtown" } };
const pointers = ["/device", "/owner", "/model", "/address/street", "/address/city"];
const sources = Object.fromEntries(pointers.map((pointer) => [pointer, fromRecord]));
const paramRules = Object.fromEntries(
  Object.keys(params).map((name) => [name, { class: "target", sources: ["record"] } as const]),
);

function judgeFixed(): boolean {
  return judgeSources({ effect: { paramRules }, proposedEffect: { params, sources } }).kind === "permitted";
}

const request = "Send the newest laptop of team-7 to ann@our.example, 2 pieces, and note 'by Friday'";
const rules: readonly CallRule[] = [
  {
    ...{ name: "devices", description: "Devices of a team.", kind: "read", space: "own", reversible: true },
    args: { team: { class: "selector", type: "id" } },
    fields: { "/*/id": "system", "/*/bought": "system", "/*/note": "third" },
  },
  {
    ...{ name: "send_device", description: "Sends a device.", kind: "write", space: "own", reversible: true },
    args: {
      ...{ device: { class: "target", type: "id" }, to: { class: "target", type: "email" } },
      ...{ pieces: { class: "amount", type: "integer" }, note: { class: "content", type: "text" } },
    },
    fields: {},
  },
];
const draft: PlanDraft = {
  slots: [
    { id: "find", tool: "devices", args: { team: { kind: "literal", text: "team-7" } } },
    {
      id: "send",
      tool: "send_device",
      args: {
        device: { kind: "ref", slot: "find", pick: { by: "/bought", order: "greatest" }, path: "/id" },
        ...{ to: { kind: "literal", text: "ann@our.example" }, pieces: { kind: "literal", text: "2" } },
        note: { kind: "literal", text: "by Friday" },
      },
    },
  ],
  outside: "refuse",
};
const rows = Array.from({ length: 10 }, (_, i) => ({ id: `d${i}`, bought: 2000 + i, note: "text of somebody" }));
const args = { device: "d9", to: "ann@our.example", pieces: 2, note: "by Friday" };

function judgePlanned(): boolean {
  const checked = checkPlan(draft, { request, rules, digest: sha256Digest });
  if (checked.kind === "faults") throw new Error(checked.faults.join("; "));
  const read = afterRead(
    openPlanned({ request, rules, plan: checked.plan }),
    { tool: "devices", args: { team: "team-7" } },
    { result: rows },
  );
  const ruling = judgeCall(read, { tool: "send_device", args });
  return ruling.kind === "auto" && afterUse(read, ruling).used.has("send");
}
