/** What a failure is put down to. The order is that of what it costs to mend, from words to machinery; the last cannot be mended here. */
export const triageLabels = ["unspecified", "missing", "form", "multi_hop", "not_in_corpus"] as const;

/** One label of triage. */
export type TriageLabel = (typeof triageLabels)[number];

/** What each label says of a failure. */
export const labelWords: Readonly<Record<TriageLabel, string>> = {
  unspecified: "nobody told the model what is right here",
  missing: "what it needed is there, and did not reach it",
  form: "it knew what is right, and could not say it in the form",
  multi_hop: "what to look up next depends on what is found",
  not_in_corpus: "no source holds it",
};

/** The cheapest layer that mends failures of a label. */
export const layerOf: Readonly<Record<TriageLabel, string>> = {
  unspecified: "the specification: say the rule in the prompt or in code, and show worked examples",
  missing: "retrieval: declare the need, or mend how it is searched",
  form: "many-shot: more worked examples of the form, or a fine-tuned model id",
  multi_hop: "a bounded loop with tools",
  not_in_corpus: "none: say so to whoever asks, and stop",
};
