import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson } from "../../contract/json.ts";
import { idPattern } from "../../contract/limits.ts";

/** Why a person lets a provider be sent text as it is; without its signature. */
const grantForm = z.strictObject({
  provider: z.string().regex(idPattern),
  /** The host that it may be sent to; `null` for a provider that names none. */
  host: z.string().min(1).max(300).nullable(),
  reason: z.string().trim().min(10).max(500),
  by: z.string().trim().min(1).max(200),
  at: z.iso.datetime(),
});
const exemptionForm = grantForm.extend({
  keyId: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().min(1).max(200),
});
const fileForm = z.strictObject({ version: z.literal(1), exemptions: z.array(exemptionForm).max(200) });

/** What a person signs. */
export type Grant = z.infer<typeof grantForm>;
/** A signed reason for which one provider is sent text as it is. */
export type Exemption = z.infer<typeof exemptionForm>;
/** What `privacy-exemptions.json` of a project holds. */
export type Exemptions = z.infer<typeof fileForm>;

/** Reads the exemptions of a project; `null` are none. Throws `definition_invalid`, naming the place and nothing that stands there. */
export function readExemptions(json: unknown): Exemptions {
  return parsed(fileForm, json ?? { version: 1, exemptions: [] }, "the exemptions from the privacy boundary cannot be read");
}

/** Reads what a person is about to sign. Throws `bad_request` where the reason or the name is too short or too long. */
export function readGrant(grant: unknown): Grant {
  const read = grantForm.safeParse(grant);
  if (read.success) return read.data;
  throw new CountersignError("bad_request", "a reason has 10 to 500 characters, and whoever signs it a name of up to 200");
}

/** The text over which an exemption is signed: all that it says, and the project that it is for. */
export function exemptionText(project: string, { provider, host, reason, by, at }: Grant): string {
  return canonicalJson({ for: "countersign privacy exemption, version 1", project, provider, host, reason, by, at });
}

/** A provider as far as it matters for whether it is exempt. */
export interface Unbounded {
  readonly name: string;
  readonly host?: string | null | undefined;
}

/** Says whether a text was signed under a key that is believed. */
export type IsSigned = (signed: { readonly text: string; readonly keyId: string; readonly signature: string }) => boolean;

/**
 * Refuses providers that would be sent text as it is, unless a person has signed a reason for each: for this project, this provider and
 * this host. Throws `boundary_unsigned`, which says what is missing and what to do.
 */
export function refuseUnsigned({
  project,
  providers,
  exemptions,
  isSigned,
}: {
  project: string;
  providers: readonly Unbounded[];
  exemptions: Exemptions;
  isSigned: IsSigned;
}): void {
  for (const provider of providers) {
    const why = whyUnsigned({ project, provider, exemptions, isSigned });
    if (why === null) continue;
    const message = `provider \`${provider.name}\` says \`boundary: "off"\`, and ${why}; leave \`boundary\` out, or have a person run \`countersign privacy allow-off ${provider.name} --reason TEXT\``;
    throw new CountersignError("boundary_unsigned", message, { facts: { provider: provider.name } });
  }
}

function whyUnsigned({
  project,
  provider: { name, host = null },
  exemptions: { exemptions },
  isSigned,
}: {
  project: string;
  provider: Unbounded;
  exemptions: Exemptions;
  isSigned: IsSigned;
}): string | null {
  const named = exemptions.filter((one) => one.provider === name);
  if (named.length === 0) return "`privacy-exemptions.json` of the project holds no reason for it";
  const here = named.filter((one) => one.host === host);
  if (here.length === 0) return "its reason was signed for another host";
  const isGood = (one: Exemption) => isSigned({ text: exemptionText(project, one), keyId: one.keyId, signature: one.signature });
  return here.some(isGood)
    ? null
    : "its reason has no signature under a key that this process believes (COUNTERSIGN_PRIVACY_PUBLIC_KEYS)";
}

function parsed<T>(form: z.ZodType<T>, json: unknown, what: string): T {
  const read = form.safeParse(json);
  if (read.success) return read.data;
  const where = read.error.issues[0]?.path.map(String).join("/") ?? "";
  throw new CountersignError(
    "definition_invalid",
    `${what} at \`/${where.slice(0, 200)}\`; \`countersign privacy allow-off\` writes them`,
  );
}
