import { z } from "zod";
import type { Json, JsonObject } from "../contract/json.ts";
import type { CheckView, ItemView, LoopStepView, ReviewEvidence, ReviewItem } from "../contract/review-evidence.ts";
import type { DecisionView, Sight } from "../contract/views.ts";
import type { FieldLabel } from "../contract/words.ts";
import { objectAt } from "./fields.ts";
import type { DecisionStory } from "./story.ts";
import { storyOf } from "./told.ts";

const json = z.custom<Json>((value) => value !== undefined);
const label = z.string() as unknown as z.ZodType<FieldLabel>; // written from the closed list by the journal
const itemForm = z.discriminatedUnion("kind", [
  z.looseObject({
    ...{ kind: z.literal("passage"), id: z.string(), document: z.string(), title: z.string(), version: z.string() },
    ...{ section: z.string(), text: z.string(), page: z.number().optional() },
    ...{ isAuthority: z.literal(true).optional(), isCurrent: z.literal(false).optional() },
  }),
  z.looseObject({
    ...{ kind: z.literal("record"), id: z.string(), query: z.string(), title: z.string().optional(), readAt: z.number() },
    ...{ row: z.record(z.string(), json), labels: z.record(z.string(), label) },
  }),
  z.looseObject({
    ...{ kind: z.literal("fact"), id: z.string(), subject: z.string(), predicate: z.string(), object: z.string() },
    ...{ validFrom: z.number(), validTo: z.number().nullable(), zone: z.string(), at: z.number(), learntAt: z.number() },
    ...{ sourceTitle: z.string(), isInConflict: z.boolean(), hasLater: z.boolean() },
  }),
  z.looseObject({ kind: z.literal("memory"), id: z.string(), of: z.string(), text: z.string(), at: z.number() }),
]);
type Kept = z.infer<typeof itemForm>;

const checkForm = z.object({ name: z.string(), passed: z.boolean(), hard: z.boolean(), evidence: z.string() });
const signalForm = z.object({ name: z.string(), ppm: z.number(), weightPpm: z.number() });
const stepForm = z.object({
  step: z.number(),
  tool: z.string().nullable(),
  arguments: json,
  outcome: z.enum(["read", "failed", "off_list", "unread", "final", "no_reply"]),
  fault: z.string().nullable(),
  found: z.array(z.unknown()),
});
const referenceForm = z.looseObject({ id: z.string(), accessCheckedAt: z.number() });
const activityForm = z.looseObject({ searches: z.array(z.looseObject({ references: z.array(z.unknown()) })) });

/** What a decision rests on, as far as this sight holds it; what cannot be read is left out. `view` is the same story's. */
export function evidenceOf(story: DecisionStory, sight: Sight, view: DecisionView): ReviewEvidence {
  const told = (storyOf(story, sight)[0]?.body ?? {}) as JsonObject; // the outcome's body is an object
  const bodies = objectAt(told, "bodies") ?? {};
  const kept = fitting(itemForm, bodies["context"]);
  const checkedAt = accessOf(story);
  return {
    items: numbered(kept, view).map(({ item, claims }, place): ReviewItem => {
      return { number: place + 1, id: item.id, claims, ...viewOf(item, checkedAt) };
    }),
    checks: fitting(checkForm, bodies["checks"]) satisfies CheckView[],
    signals: fitting(signalForm, told["signals"]),
    steps: fitting(stepForm, bodies["loop"]).map(
      (step): LoopStepView => ({ ...step, found: fitting(itemForm, step.found).map((item) => viewOf(item, checkedAt)) }),
    ),
  };
}

function fitting<T>(form: z.ZodType<T>, values: unknown): T[] {
  if (!Array.isArray(values)) return [];
  return values.flatMap((value) => {
    const fit = form.safeParse(value);
    return fit.success ? [fit.data] : [];
  });
}

/** In the order in which a reader meets them: claims, then values, then what nothing names. */
function numbered(kept: readonly Kept[], { claims, effects }: DecisionView): { item: Kept; claims: readonly number[] }[] {
  const named = [
    ...claims.flatMap(({ source, also = [] }) => [source, ...also.map((one) => one.source)]),
    ...effects.flatMap(({ sources }) => Object.values(sources).flatMap(({ ref }) => (ref === null ? [] : [ref]))),
  ];
  const place = ({ id }: Kept) => (named.includes(id) ? named.indexOf(id) : named.length);
  const backed = ({ id }: Kept) =>
    claims.flatMap(({ source, also = [] }, index) => (source === id || also.some((one) => one.source === id) ? [index] : []));
  return kept.toSorted((a, b) => place(a) - place(b)).map((item) => ({ item, claims: backed(item) }));
}

/** When it was seen of each passage that the asker may read it. */
function accessOf({ outcome }: DecisionStory): ReadonlyMap<string, number> {
  const fit = activityForm.safeParse(outcome.bodies["activity"]);
  if (!fit.success) return new Map();
  const references = fit.data.searches.flatMap((search) => fitting(referenceForm, search.references));
  return new Map(references.map(({ id, accessCheckedAt }) => [id, accessCheckedAt]));
}

function viewOf(item: Kept, checkedAt: ReadonlyMap<string, number>): ItemView {
  switch (item.kind) {
    case "passage":
      return {
        ...{ kind: "passage", document: item.document, title: item.title, version: item.version, section: item.section },
        ...{ page: item.page ?? null, quote: item.text, isCurrent: item.isCurrent !== false },
        ...{ isAuthority: item.isAuthority === true, accessCheckedAt: checkedAt.get(item.id) ?? null },
      };
    case "record":
      return { kind: "record", title: item.title ?? item.query, query: item.query, fields: fieldsOf(item), readAt: item.readAt };
    case "fact":
      return {
        ...{ kind: "fact", title: item.sourceTitle, subject: item.subject, predicate: item.predicate, object: item.object },
        ...{ validFrom: item.validFrom, validTo: item.validTo, zone: item.zone, at: item.at, learntAt: item.learntAt },
        ...{ isInConflict: item.isInConflict, hasLater: item.hasLater },
      };
    case "memory":
      return { kind: "memory", remembered: item.of, text: item.text, at: item.at };
  }
}

/** Every field but those that are labelled secret, which show nowhere; who can write one that is not declared is not known. */
function fieldsOf({ row, labels }: Extract<Kept, { kind: "record" }>) {
  return Object.entries(row)
    .map(([name, value]) => ({ name, value, label: (Object.hasOwn(labels, name) ? labels[name] : undefined) ?? "third" }))
    .filter(({ label: written }) => written !== "secret");
}
