import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { type DataClass, dataClasses, type PrivacyRule, type Treatment, treatments } from "../../contract/privacy.ts";

/** What is done to personal data before anything is sent, by class, jurisdiction and the provider's region. Plain JSON. */
export interface PrivacyPolicy {
  readonly version: 1;
  /** The shipped rules with the file's in the place of those that they replace. */
  readonly rules: readonly PrivacyRule[];
  /** `in_order`: all dates of birth of one payload move by one number of days, so that their order and distances stay. */
  readonly dates: "scattered" | "in_order";
}

/** The shipped rules: a stand-in for everything, except that organisations stay and that secrets are no model's business. */
export const shippedRules: readonly PrivacyRule[] = Object.freeze([
  rule("*", "tokenise"),
  rule("organisation", "allow"),
  rule("secret", "mask"),
  rule("url_credential", "mask"),
]);

function rule(of: DataClass | "*", treatment: Treatment): PrivacyRule {
  return Object.freeze({ class: of, jurisdiction: "*", region: "*", treatment });
}

const ruleSchema = z.strictObject({
  class: z.enum(["*", ...dataClasses]),
  jurisdiction: z.string().regex(/^(?:\*|[a-z]{2})$/, "use a country's two lower-case letters or `*`"),
  region: z.string().regex(/^(?:\*|[a-z0-9][a-z0-9_.-]{0,62})$/, "use a region's id or `*`"),
  treatment: z.enum(treatments),
});

const policySchema = z.strictObject({
  version: z.literal(1),
  rules: z.array(ruleSchema).max(1_000),
  organisations: z.boolean().optional(),
  dates: z.enum(["scattered", "in_order"]).optional(),
});

/**
 * Reads a privacy policy: `{ version: 1, rules, organisations?, dates? }`; `null` is the shipped one. A rule of the file stands in the place
 * of the shipped rule for the same class, jurisdiction and region. `organisations: true` gives organisations stand-ins as well.
 * Throws `definition_invalid` for anything else, an unknown key or two rules for the same; it says where.
 * @example
 * readPrivacyPolicy({ version: 1, rules: [], organisations: true }).rules.length; // 3
 */
export function readPrivacyPolicy(json: unknown): PrivacyPolicy {
  const read = policySchema.safeParse(json ?? { version: 1, rules: [] });
  if (!read.success) {
    const issue = read.error.issues[0];
    throw refuse(issue === undefined ? "" : placeOf(issue), issue?.message ?? "it has another form");
  }
  const { rules, organisations = false, dates = "scattered" } = read.data;
  const own = new Set<string>();
  rules.forEach((one, index) => {
    if (own.has(placeOfRule(one))) throw refuse(`/rules/${index}`, "another rule is for the same class, jurisdiction and region");
    own.add(placeOfRule(one));
  });
  const shipped = shippedRules.filter(({ class: of }) => !(organisations && of === "organisation"));
  const kept = shipped.filter((one) => !own.has(placeOfRule(one)));
  return Object.freeze({ version: 1, rules: Object.freeze([...kept, ...rules.map((one) => Object.freeze(one))]), dates });
}

function refuse(place: string, why: string): CountersignError {
  const message = `the privacy policy cannot be used: at \`${place === "" ? "/" : place}\` ${why}; correct the file`;
  return new CountersignError("definition_invalid", message, { facts: { place } });
}

/** Where it is, and of unknown keys which: neither is anybody's data. */
function placeOf(issue: z.core.$ZodIssue): string {
  const key = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...key].map((part) => `/${String(part)}`).join("");
}

function placeOfRule({ class: of, jurisdiction, region }: PrivacyRule): string {
  return `${of} ${jurisdiction} ${region}`;
}

/** From the one that lets through to the one that leaves nothing. */
const strictness: Readonly<Record<Treatment, number>> = { allow: 0, tokenise: 1, hash: 2, mask: 3, drop: 4 };

/** The strictest of two treatments. */
export function stricter(one: Treatment, other: Treatment): Treatment {
  return strictness[other] > strictness[one] ? other : one;
}

/** What to treat: data of a class, of a country where one can be told, on its way to a region. */
export interface Treated {
  readonly class: DataClass;
  readonly jurisdiction: string | null;
  readonly region: string;
}

/**
 * What the rules say is done to it: the rule with the fewest `"*"` holds, and of equally specific ones the strictest. Where none is for
 * it, it gets a stand-in. Data of which no country can be told fits no rule for a country.
 */
export function treatmentFor(rules: readonly PrivacyRule[], { class: of, jurisdiction, region }: Treated): Treatment {
  let best = -1;
  let treatment: Treatment = "tokenise";
  for (const one of rules) {
    const parts = [partFits(one.class, of), partFits(one.jurisdiction, jurisdiction), partFits(one.region, region)];
    if (parts.includes(null)) continue;
    const specific = parts.filter((part) => part === "same").length;
    if (specific < best) continue;
    treatment = specific === best ? stricter(treatment, one.treatment) : one.treatment;
    best = specific;
  }
  return treatment;
}

function partFits(said: string, is: string | null): "same" | "any" | null {
  if (said === "*") return "any";
  return said === is ? "same" : null;
}
