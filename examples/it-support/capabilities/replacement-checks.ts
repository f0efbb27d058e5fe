import { type Capability, passagesOf, rowsOf } from "countersign";
import { allowanceOf, type Choice, type Choosing, chosenDevice, namedDevice } from "./choose-device.ts";
import type { Request } from "./request.ts";
import { resolveReason } from "./resolve-request.ts";

/** What code checks of a proposed replacement, whatever the model said of it. */
export const replacementChecks: Capability<Request, Choice>["checks"] = [
  { name: "device_is_own", run: checkOwn },
  { name: "device_as_named", run: checkNamed },
  { name: "reason_as_stated", run: checkReason },
  { name: "policy_retrieved", run: checkPolicy },
  { name: "eligible_by_rule", run: checkEligible },
  { name: "no_open_replacement", run: checkNoneOpen },
  { name: "device_without_choice", soft: { reason: "a request may leave a choice; a person makes it" }, run: checkNoChoice },
  { name: "reason_in_words", soft: { reason: "a request may describe its reason in other words" }, run: checkInWords },
];

function checkOwn(decided: Choosing) {
  const isOwn = chosenDevice(decided) !== null;
  return { passed: isOwn, evidence: isOwn ? "the requester holds the device" : "the requester does not hold the device" };
}

function checkNamed(decided: Choosing) {
  const device = namedDevice(decided);
  const passed = device === null || device.id === decided.decision.device;
  return { passed, evidence: device === null ? "the request names no single device" : `the request names ${device.id}` };
}

function checkReason({ inputs, decision: { reason } }: Choosing) {
  const stated = resolveReason(inputs.text);
  return {
    passed: stated === null || stated === reason,
    evidence: stated === null ? "no single reason is stated" : `stated is ${stated}`,
  };
}

function checkPolicy({ context, decision: { policy } }: Choosing) {
  const passed = passagesOf(context, "policy").some((passage) => passage.id === policy);
  return { passed, evidence: passed ? "the cited passage was retrieved" : "the cited passage was not retrieved" };
}

function checkEligible(decided: Choosing) {
  const pick = chosenDevice(decided);
  if (pick === null) return { passed: false, evidence: "there is no device to rule on" };
  const { allowed, rule, because } = allowanceOf(decided, pick.device);
  return { passed: allowed === decided.decision.eligible, evidence: `${rule}: ${because}` };
}

function checkNoneOpen({ context, decision: { device } }: Choosing) {
  const open = rowsOf(context, "ticket").filter(
    ({ row }) => row["device"] === device && row["kind"] === "replacement" && row["status"] !== "done",
  );
  return { passed: open.length === 0, evidence: `${open.length} open replacement tickets for the device` };
}

function checkNoChoice(decided: Choosing) {
  const device = namedDevice(decided);
  return { passed: device !== null, evidence: device === null ? "the model chose the device" : "the request leaves no choice" };
}

function checkInWords({ inputs }: Choosing) {
  const stated = resolveReason(inputs.text);
  return {
    passed: stated !== null,
    evidence: stated === null ? "the model inferred the reason" : "the request states the reason",
  };
}
