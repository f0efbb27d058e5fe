import type { Json, JsonObject } from "../../src/contract/json.ts";
import type { CallRule } from "../../src/contract/plan.ts";
import type { Environment } from "./parts.ts";

/**
 * Who can write each field of a result, where the records say so themselves: a payment that the account made has a subject of the owner's,
 * a mail that the account sent is the owner's. For all else the declaration stands. What a file holds stays as declared, since its owner
 * may have pasted it.
 */
export function fieldsOf(
  rule: CallRule,
  { result, environment }: { result: Json; environment: Environment },
): CallRule["fields"] {
  // Of a list that is cut off, whoever adds records decides what is left out.
  const paid = environment.bank_account?.transactions.length ?? 0;
  if (rule.name === "get_most_recent_transactions" && isList(result) && result.length < paid) return { "": "third" };
  const own = (isList(result) ? result : []).flatMap((record, place) =>
    typeof record === "object" && record !== null && !isList(record)
      ? ownFields(rule, record, environment).map((field) => [`/${place}${field}`, "own"] as const)
      : [],
  );
  // Of two patterns of the same length the first counts.
  return { ...Object.fromEntries(own), ...rule.fields };
}

function ownFields({ name }: CallRule, record: JsonObject, { bank_account, inbox }: Environment): readonly string[] {
  if (name === "get_most_recent_transactions")
    return record["sender"] === "me" || record["sender"] === bank_account?.iban ? ["/subject"] : [];
  if (!["get_sent_emails", "get_draft_emails"].includes(name)) return [];
  const isOwn = record["sender"] === inbox?.account_email && (record["status"] === "sent" || record["status"] === "draft");
  return isOwn ? ["/sender", "/subject", "/body", "/recipients", "/cc", "/bcc"] : [];
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
