import { randomBytes } from "node:crypto";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { canonicalJson, type Json, type JsonObject } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { allowListsSchema, type Principal } from "../../contract/principal.ts";
import type { CaseRunRow } from "../../store/tables.ts";
import { parseJson } from "../parse-entry.ts";
import type { PayloadKeys } from "../payload.ts";

/** What a case holds, encrypted in its row: who started it and with what, and its data, `null` until its first step is entered. */
export interface RunBody {
  readonly principal: Principal;
  readonly input: Json;
  /** Of a part: what who started the whole gave; `null` where that is the input. */
  readonly given: Json;
  readonly data: Json;
}

/** What of a case's row its body is opened by. */
export type SealedRun = Pick<CaseRunRow, "tenant" | "id" | "body" | "started_by" | "on_behalf_of">;

type Of = { readonly tenant: string; readonly id: string; readonly keys: PayloadKeys };

/** Encrypts a case's body. Throws `too_large` for data or an input over `limits.caseDataBytes`, `unserialisable` for what is no JSON. */
export function sealRunBody({ principal, input, given, data }: RunBody, { tenant, id, keys }: Of): Buffer {
  checkCaseInput(input);
  checkSize("the data of a case", data, limits.caseDataBytes);
  const text = canonicalJson({ v: 1, principal: { ...principal }, input, given, data });
  return keys.encrypt({ tenant, entryId: id, bodies: [{ name: "case", salt: newSalt(), text }] });
}

/** Throws `too_large` for an input that no case is started with. */
export function checkCaseInput(input: Json): void {
  checkSize("the input of a case", input, limits.caseDataBytes);
}

/**
 * Opens the body of a case's row. Throws `payload_unreadable` where it does not decrypt, has not the form of one, or names another
 * principal than the row does: the row is what others see and what the database keeps as it was.
 */
export function openRunBody(
  { tenant, id, body, started_by: startedBy, on_behalf_of: onBehalfOf }: SealedRun,
  { keys }: Pick<Of, "keys">,
): RunBody {
  const kept = keys.decrypt({ tenant, entryId: id, body }).find(({ name }) => name === "case");
  const parsed = bodySchema.safeParse(parseJson(kept?.text ?? ""));
  if (!parsed.success) throw new CountersignError("payload_unreadable", "the body of a case has not the form of version 1");
  const { principal, input, given, data } = parsed.data;
  if (principal.tenant !== tenant || principal.id !== startedBy || principal.onBehalfOf !== onBehalfOf)
    throw new CountersignError("payload_unreadable", "the body of a case is of another principal than its row");
  return { principal, input, given, data };
}

/** Encrypts the body of an event. Throws `too_large` over `limits.caseEventBytes`. */
export function sealEventBody(event: Json, { tenant, id, keys }: Of): Buffer {
  checkSize("the body of an event", event, limits.caseEventBytes);
  return keys.encrypt({
    tenant,
    entryId: id,
    bodies: [{ name: "event", salt: newSalt(), text: canonicalJson(event) }],
  });
}

/** Opens the body of an event. Throws `payload_unreadable`. */
export function openEventBody(body: Buffer, { tenant, id, keys }: Of): Json {
  const kept = keys.decrypt({ tenant, entryId: id, body }).find(({ name }) => name === "event");
  return parseJson(kept?.text ?? "");
}

/** A keyed hash of plain data, as it stands beside what is encrypted. */
export function hashOf(value: Json, { tenant, keys }: Pick<Of, "tenant" | "keys">): Buffer {
  return Buffer.from(keys.keyedHash({ tenant, text: canonicalJson(value) }), "hex");
}

function checkSize(what: string, value: Json, bytes: number): void {
  const size = Buffer.byteLength(canonicalJson(value));
  if (size <= bytes) return;
  throw new CountersignError("too_large", `${what} has ${size} bytes; at most ${bytes} are kept`, { facts: { size, bytes } });
}

function newSalt(): string {
  return randomBytes(16).toString("hex");
}

const isObject = (value: unknown): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
/** Everything here came out of `JSON.parse`, so it is JSON already. */
const json = z.custom<Json>((value) => value !== undefined);
const bodySchema = z.strictObject({
  v: z.literal(1),
  principal: z.strictObject({
    tenant: z.string(),
    id: z.string(),
    roles: z.array(z.string()),
    attributes: z.custom<JsonObject>(isObject),
    onBehalfOf: z.string().nullable(),
    allow: allowListsSchema,
  }) satisfies z.ZodType<Principal>,
  input: json,
  given: json,
  data: json,
});
