import type { JsonObject } from "../../../../src/contract/json.ts";
import type { NodeName } from "../../../../src/contract/words.ts";
import { counted, plainMoney } from "../../words/plain.ts";
import { listAt, numberAt, objectAt, textAt } from "./fields.ts";
import { tookWords } from "./took-words.ts";

/** One request to a model, as it was recorded. */
export interface Try {
  readonly key: string;
  readonly title: string;
  readonly isFit: boolean;
  /** What did not fit, or why no reply came; empty where it fitted. */
  readonly problem: string;
  /** Time, tokens and price. */
  readonly cost: string;
  readonly model: string;
  /** What came; empty where nothing did. */
  readonly reply: string;
}

/** The requests that a node made, in their order; `null` where what models said is not told to this reader, or was erased. */
export function triesOf(bodies: JsonObject, node: NodeName): readonly Try[] | null {
  const replies = listAt(bodies, "replies");
  return replies === null ? null : replies.filter((reply) => reply["node"] === node).map(tryOf);
}

function tryOf(reply: JsonObject): Try {
  const step = numberAt(reply, "step") ?? 0;
  const attempt = numberAt(reply, "attempt") ?? 1;
  const send = numberAt(reply, "send") ?? 1;
  const isFit = reply["outcome"] === "fits";
  return {
    key: `${textAt(reply, "purpose")} ${step} ${attempt} ${send}`,
    title: `${step > 0 ? `Step ${step}, try` : "Try"} ${attempt}${send > 1 ? `, sent the ${send}. time` : ""}`,
    isFit,
    problem: isFit ? "" : problemOf(reply),
    cost: costOf(reply),
    model: textAt(reply, "model"),
    reply: textAt(reply, "reply"),
  };
}

function problemOf(reply: JsonObject): string {
  const fault = textAt(reply, "fault").replaceAll("_", " ");
  if (fault !== "") return `no reply came: ${fault}`;
  const problem = textAt(reply, "problem");
  return problem === "" ? "did not fit" : `did not fit: ${problem}`;
}

function costOf(reply: JsonObject): string {
  const usage = objectAt(reply, "usage");
  const cached = numberAt(usage, "cachedTokens") ?? 0;
  const read = `${counted(numberAt(usage, "inputTokens") ?? 0, "token")} in${cached === 0 ? "" : ` (${counted(cached, "token")} cached)`}`;
  const said = `${counted(numberAt(usage, "outputTokens") ?? 0, "token")} out`;
  const price = plainMoney(numberAt(reply, "costMicros") ?? 0);
  const assumed = reply["isUsageAssumed"] === true ? ", assumed: the provider did not say" : "";
  return `${tookWords(numberAt(reply, "ms") ?? 0)}, ${read}, ${said}, ${price}${assumed}`;
}
