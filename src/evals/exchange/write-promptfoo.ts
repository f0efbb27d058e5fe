import { stringify } from "yaml";
import type { EvalCase } from "../case-file.ts";
import { restKey, restOf, withoutEmpty } from "./case-rest.ts";
import type { ExchangeNote, Exported } from "./exchanged.ts";
import { isPlainText } from "./promptfoo-asserts.ts";

/** Renders a request in free text as it is, and inputs by name as JSON. */
export const exportedPrompt = "{% if text is defined %}{{text}}{% else %}{{inputs | dump}}{% endif %}";

/**
 * Eval cases as a promptfoo configuration (YAML). Statements and refusals become asserts; what promptfoo has no assert for travels in each
 * test's metadata and is named, since promptfoo does not check it. Providers are left to whoever runs it.
 */
export function writePromptfoo(cases: readonly EvalCase[], capability: string): Exported {
  const tests = cases.map(testOf);
  const config = { description: `Eval cases of ${capability}`, prompts: [exportedPrompt], providers: [], tests };
  return { text: stringify(config, { lineWidth: 0, aliasDuplicateObjects: false }), notes: cases.flatMap(notesOf) };
}

function testOf(one: EvalCase): object {
  const { statements, refuses, ...others } = one.expectations;
  const assert = [
    ...statements.required.map((value) => ({ type: "icontains", value })),
    ...statements.forbidden.map((value) => ({ type: "not-icontains", value })),
    ...(refuses === undefined ? [] : [{ type: refuses ? "is-refusal" : "not-is-refusal" }]),
  ];
  return {
    description: one.id,
    vars: typeof one.request === "string" ? { text: one.request } : { inputs: one.request },
    assert,
    metadata: { [restKey]: restOf(one, withoutEmpty(others)) },
  };
}

function notesOf(one: EvalCase): readonly ExchangeNote[] {
  const { statements, refuses: _refuses, ...others } = one.expectations;
  const unchecked = Object.keys(withoutEmpty(others)).map(
    (name): ExchangeNote => ({
      at: one.id,
      what: name,
      fate: "left_out",
      why: "promptfoo has no assert for it; it travels in the metadata",
    }),
  );
  const texts = [...(typeof one.request === "string" ? [one.request] : []), ...statements.required, ...statements.forbidden];
  const rendered = texts
    .filter((text) => !isPlainText(text))
    .map(
      (text): ExchangeNote => ({
        at: one.id,
        what: text.slice(0, 60),
        fate: "changed",
        why: "promptfoo would render it, or read what it names",
      }),
    );
  return [...unchecked, ...rendered];
}
