import type { ExplainedApproval } from "../../../../src/contract/explanation.ts";
import type { OperationView } from "../../../../src/contract/operation-view.ts";
import type { Dedupe } from "../../../../src/contract/words.ts";
import type { Mark, Tone } from "../../parts/mark.tsx";
import { timeWords } from "../../words/times.ts";
import { faultWords } from "./operation-words.ts";

/** One question that is asked before anything is sent again, with its answer as far as the record tells. */
export interface Answered {
  readonly question: string;
  readonly mark: Mark;
  readonly tone: Tone;
  readonly answer: string;
}

type Answer = Omit<Answered, "question">;

/** The seven questions of reconciliation. What the record does not tell is said to be so; nothing is guessed. */
export function questionsOf(
  operation: OperationView,
  { now, nameOf }: { readonly now: number; readonly nameOf: (id: string) => string },
): readonly Answered[] {
  const at = (time: number) => `${timeWords(time, now)} UTC`;
  const approval = operation.approvals.at(-1) ?? null;
  return [
    { question: "Did the target get it?", ...received(operation, at) },
    { question: "Did the change occur?", ...changed(operation, at) },
    { question: "Forbidden or partial state?", ...between(operation) },
    { question: "Approval still valid?", ...approved(approval, { at, now, nameOf, isEnded: ended.has(operation.state) }) },
    { question: "Credential still valid?", ...credential(operation) },
    { question: "Still permitted?", ...permitted(approval) },
    { question: "May a retry duplicate?", ...(operation.dedupe === null ? untold : doubles[operation.dedupe]) },
  ];
}

/** Nothing more is sent of these. */
const ended: ReadonlySet<string> = new Set(["complete", "compensated", "refused"]);

type At = (time: number) => string;

const untold: Answer = { mark: "question", tone: "quiet", answer: "Not told to you, or not recorded." };

function received({ course, state }: OperationView, at: At): Answer {
  if (course === null) return untold;
  const sent = course.sends.at(-1);
  if (sent === undefined) return fine("Nothing was sent.");
  if (sent.response !== null) return fine(`Yes. It answered ${at(sent.response.at)}${named(sent.response.targetId)}.`);
  const isUnderWay = state === "applying" || state === "retrying";
  return unknown(isUnderWay ? `Not known yet. Sent ${at(sent.at)}.` : `Not known. Sent ${at(sent.at)}, and no answer came.`);
}

function named(targetId: string | null): string {
  return targetId === null ? "" : ` and calls it ${targetId}`;
}

function changed({ course, verdict }: OperationView, at: At): Answer {
  const look = course?.looks.at(-1);
  if (look === undefined) return course === null ? untold : unknown("Nobody has looked yet.");
  if (look.fault !== null) return unknown(`Not known. The read of ${at(look.at)} could not be made: ${faultWords(look.fault)}.`);
  switch (verdict) {
    case "complete":
      return fine(`Yes, seen ${at(look.at)}.`);
    case "incomplete":
      return doubt(`Not all of it, by the read of ${at(look.at)}.`);
    case "failed":
      return doubt(`No, by the read of ${at(look.at)}.`);
    default:
      return unknown(`Not known. The read of ${at(look.at)} proves nothing yet.`);
  }
}

function between({ verdict, forbidden, differs }: OperationView): Answer {
  if (forbidden.length > 0) return doubt(`Yes: ${forbidden.join(", ")} changed and must not.`);
  if (verdict === "complete") return fine("No.");
  if (verdict === null || verdict === "unknown") return unknown("Not known until the read answers.");
  return differs.length === 0 ? fine("None was seen.") : doubt(`${differs.join(", ")} differ from what was expected.`);
}

function approved(
  approval: ExplainedApproval | null,
  {
    at,
    now,
    nameOf,
    isEnded,
  }: { readonly at: At; readonly now: number; readonly nameOf: (id: string) => string; readonly isEnded: boolean },
): Answer {
  if (approval === null) return untold;
  const { by, kind, expiresAt, end } = approval;
  const signed = `Signed by ${kind === "policy" ? `policy ${by}` : nameOf(by)} ${at(approval.at)}`;
  if (end === "withdrawn" || end === "expired" || end === "refused") return doubt(`No. ${signed}, then ${end}.`);
  if (expiresAt !== null && expiresAt <= now) return rest(`${signed}; its time ended ${at(expiresAt)}.`);
  if (isEnded) return fine(`${signed}, and used up by this.`);
  return fine(`${signed}${expiresAt === null ? "" : `, until ${at(expiresAt)}`}. It is verified anew before every send.`);
}

function credential({ course }: OperationView): Answer {
  const name = course?.sends.at(-1)?.credential ?? null;
  return name === null ? untold : rest(`Sent with ${name}. Whether it still holds shows at its next use.`);
}

function permitted(approval: ExplainedApproval | null): Answer {
  if (approval === null || approval.policy === null) return untold;
  const by = approval.policies.length === 0 ? "" : ` by ${approval.policies.join(", ")}`;
  return rest(`When it was signed: yes${by}, policies ${approval.policy}. Policy is asked again before every send.`);
}

const exactlyOnce = "the target takes a change of one key once.";
const doubles: Readonly<Record<Dedupe, Answer>> = {
  key: fine(`No: ${exactlyOnce}`),
  fence: fine("No: the target refuses a sender that was taken over from."),
  conditional: fine("No: the target changes only the version that was approved."),
  observe: doubt(
    "Only while a send is still on its way. The target can be observed and takes no key, so it is waited for first.",
  ),
  none: doubt("Yes. The target takes no key and refuses no late sender, so it is never sent again."),
};

function fine(answer: string): Answer {
  return { mark: "tick", tone: "quiet", answer };
}

function rest(answer: string): Answer {
  return { mark: "dash", tone: "quiet", answer };
}

function doubt(answer: string): Answer {
  return { mark: "warning", tone: "wait", answer };
}

function unknown(answer: string): Answer {
  return { mark: "question", tone: "unknown", answer };
}
