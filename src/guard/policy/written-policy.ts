import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { type Action, actionNames, isAction } from "./actions.ts";
import { invalidFile, invalidPolicy } from "./policy-fault.ts";
import type { PolicyText } from "./policy-text.ts";

/** One policy as it stands in its file. */
export interface WrittenPolicy {
  /** From its annotation `@id`; stands in entries. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly effect: "permit" | "forbid";
  readonly actions: readonly Action[];
  /** Told where it is why the answer is no, from `@refusal`: a forbid that applied, a permit that did not. */
  readonly refusal: string;
}

const idForm = /^[a-z][a-z0-9_]{0,62}$/;

/** Reads the policies of one file, in their order. Throws `policy_invalid`. */
export function readPolicies(file: PolicyText): WrittenPolicy[] {
  const parts = cedar.policySetTextToParts(file.text);
  if (parts.type === "failure") throw invalidFile(file, parts.errors[0]);
  if (parts.policy_templates.length > 0)
    throw invalidPolicy(`\`${file.file}\` has a template; write each policy out`, { file: file.file });
  // The parser sorts them; each is a piece of the file as it stands there.
  const ends = new Map<string, number>();
  const placed = parts.policies.map((text) => {
    const at = file.text.indexOf(text, ends.get(text) ?? 0);
    ends.set(text, at + text.length);
    return { text, at };
  });
  return placed.sort((one, other) => one.at - other.at).map((one) => readPolicy(file, one));
}

function readPolicy(file: PolicyText, { text, at }: { text: string; at: number }): WrittenPolicy {
  const line = file.text.slice(0, Math.max(0, at)).split("\n").length;
  const read = cedar.policyToJson(text);
  if (read.type === "failure") throw invalidFile({ ...file, text, firstLine: line }, read.errors[0]);
  const { effect, action, annotations = {} } = read.json;
  const { id = "", refusal = `policy \`${id}\` says no` } = annotations;
  if (!idForm.test(id))
    throw invalidPolicy(`\`${file.file}:${line}\` has no usable id; begin the policy with \`@id("a_word_like_this")\``, {
      file: file.file,
      line,
    });
  return { id, file: file.file, line, text, effect, actions: actionsOf(action), refusal };
}

function actionsOf(constraint: cedar.ActionConstraint): readonly Action[] {
  if (constraint.op === "All") return actionNames;
  const named = "entities" in constraint ? constraint.entities : "entity" in constraint ? [constraint.entity] : [];
  return named.map((one) => ("__entity" in one ? one.__entity.id : one.id)).filter(isAction);
}
