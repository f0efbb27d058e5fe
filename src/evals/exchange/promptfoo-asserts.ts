import { type ExchangeNote, leftOut, objectOf } from "./exchanged.ts";

/** What asserts say that expectations of ours can say too. */
export interface FromAsserts {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
  readonly refuses: boolean | null;
  readonly notes: readonly ExchangeNote[];
}

interface Mapping {
  readonly to: "required" | "forbidden" | "refuses" | "answers";
  readonly value: "text" | "texts" | "none";
  /** Statements are compared without regard to case. */
  readonly isCaseLost: boolean;
}

/** Names of promptfoo's asserts -> what they are here. Those that are not in it are named and left out. */
const mappings: Readonly<Record<string, Mapping>> = {
  icontains: { to: "required", value: "text", isCaseLost: false },
  "icontains-all": { to: "required", value: "texts", isCaseLost: false },
  contains: { to: "required", value: "text", isCaseLost: true },
  "contains-all": { to: "required", value: "texts", isCaseLost: true },
  "not-icontains": { to: "forbidden", value: "text", isCaseLost: false },
  "not-icontains-any": { to: "forbidden", value: "texts", isCaseLost: false },
  "not-contains": { to: "forbidden", value: "text", isCaseLost: true },
  "not-contains-any": { to: "forbidden", value: "texts", isCaseLost: true },
  "is-refusal": { to: "refuses", value: "none", isCaseLost: false },
  "not-is-refusal": { to: "answers", value: "none", isCaseLost: false },
};

/** Members of an assert that change nothing of what it asks. */
const harmless = ["type", "value", "metric"];

/** Reads the asserts of one test. Texts of a test that we wrote stand as they are, whatever promptfoo makes of them. */
export function readAsserts(asserts: readonly unknown[], { at, isOurs }: { at: string; isOurs: boolean }): FromAsserts {
  const read = asserts.map((one, place) => readAssert(one, { at: `${at}/${place}`, isOurs }));
  const refusals = read.flatMap(({ mapping }) => (mapping?.to === "refuses" ? [true] : mapping?.to === "answers" ? [false] : []));
  return {
    required: read.flatMap(({ mapping, texts }) => (mapping?.to === "required" ? texts : [])),
    forbidden: read.flatMap(({ mapping, texts }) => (mapping?.to === "forbidden" ? texts : [])),
    refuses: refusals[0] ?? null,
    notes: [
      ...read.flatMap(({ notes }) => notes),
      ...(new Set(refusals).size > 1 ? [leftOut(at, "not-is-refusal", "another assert expects the opposite")] : []),
    ],
  };
}

interface ReadAssert {
  readonly mapping: Mapping | null;
  readonly texts: readonly string[];
  readonly notes: readonly ExchangeNote[];
}

function readAssert(one: unknown, { at, isOurs }: { at: string; isOurs: boolean }): ReadAssert {
  const members = objectOf(one);
  const type = members?.["type"];
  if (members === null || typeof type !== "string") return nothing(leftOut(at, "assert", "it has no type"));
  const mapping = Object.hasOwn(mappings, type) ? (mappings[type] ?? null) : null;
  if (mapping === null) return nothing(leftOut(at, type, "no expectation of ours says the same"));
  const texts = textsOf(members["value"], { form: mapping.value, isOurs });
  if (texts === null)
    return nothing(leftOut(at, type, `its value is no ${mapping.value === "text" ? "plain text" : "list of plain texts"}`));
  const weight = members["weight"];
  if (weight !== undefined && weight !== 1)
    return nothing(leftOut(at, type, "it has a weight, and an expectation of ours must hold"));
  const more = Object.keys(members).filter((name) => !harmless.includes(name) && name !== "weight");
  if (more.length > 0) return nothing(leftOut(at, type, `it says more than can be said here: ${more.join(", ").slice(0, 200)}`));
  const notes: ExchangeNote[] = mapping.isCaseLost
    ? [{ at, what: type, fate: "changed", why: "statements are compared without regard to case" }]
    : [];
  return { mapping, texts, notes };
}

/** Texts that are templates, files or code of promptfoo's are no plain texts. */
function textsOf(value: unknown, { form, isOurs }: { form: Mapping["value"]; isOurs: boolean }): readonly string[] | null {
  if (form === "none") return [];
  const texts: readonly unknown[] = form === "text" ? [value] : Array.isArray(value) ? value : [];
  const isPlain = (text: unknown): text is string => typeof text === "string" && text !== "" && (isOurs || isPlainText(text));
  return texts.length > 0 && texts.every(isPlain) ? texts : null;
}

/** Says whether promptfoo takes a text as it stands: it renders templates, and reads files and code that a text names. */
export function isPlainText(text: string): boolean {
  return (
    !/\{\{|\{%|\{#/.test(text) && !/^(?:file|https?|exec|python|javascript|package|huggingface|vault|env):/i.test(text.trim())
  );
}

function nothing(note: ExchangeNote): ReadAssert {
  return { mapping: null, texts: [], notes: [note] };
}
