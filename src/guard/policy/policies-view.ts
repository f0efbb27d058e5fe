import { hash } from "node:crypto";
import { CountersignError } from "../../contract/errors.ts";
import type { PoliciesView, PolicyAnswer } from "../../contract/policy-view.ts";
import { openAsk, strictEngine } from "./ask.ts";
import type { CompiledPolicies } from "./compile.ts";
import { explainRuling } from "./explain-policy.ts";
import { questionOf, writtenQuestion } from "./policy-test.ts";
import type { PolicyText } from "./policy-text.ts";
import type { WrittenPolicy } from "./written-policy.ts";

/** The files that policies were opened from, and the policies in them, as they are shown. */
export function writtenIn(texts: readonly PolicyText[], { version, policies }: CompiledPolicies): PoliciesView {
  const files = texts.map(({ file, text }) => ({ name: file, text, digest: hash("sha256", text, "hex") }));
  return { version, files: files.sort((one, other) => (one.name < other.name ? -1 : 1)), policies: policies.map(lineOf) };
}

/** Answers one question as people write it, with the policies behind the answer. Throws `bad_request` for what is no question. */
export function answerWritten(compiled: CompiledPolicies, question: unknown): PolicyAnswer {
  const parsed = writtenQuestion.safeParse(question);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const problem = `the question does not have its form: ${issue?.path.join("/") ?? ""} ${issue?.message ?? ""}`;
    throw new CountersignError("bad_request", problem);
  }
  const ask = openAsk(compiled, strictEngine);
  const { version, ruling, deciding, missing } = explainRuling({ compiled, ask, question: questionOf(parsed.data) });
  return { version, ruling, deciding: deciding.map(lineOf), missing: missing.map(lineOf) };
}

function lineOf({ id, file, line, effect, actions, text }: WrittenPolicy): PoliciesView["policies"][number] {
  return { id, file, line, effect, actions, text };
}
