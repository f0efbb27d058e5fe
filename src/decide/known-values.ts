import type { Json, JsonObject } from "../contract/json.ts";
import type { DataClass, KnownValue } from "../contract/privacy.ts";

/** Most values that one decision remembers, and the lengths between which a value is one, in UTF-16 code units. */
const [mostValues, shortest, longest] = [1_000, 3, 200] as const;

/**
 * Adds to `values` what a row of a record, or the attributes of an account, say of people under names that mean nothing else, such as
 * `email`, `phone` or `customer_name`. A bare `name` counts where the same row has an address or number of a person's; a product has none.
 */
export function addKnownValues(row: JsonObject, values: KnownValue[]): void {
  addFrom({ row, values, depth: 0 });
}

/** Deeper than this nobody keeps a name. */
const deepest = 8;

function addFrom({ row, values, depth }: { row: JsonObject; values: KnownValue[]; depth: number }): void {
  const entries = Object.entries(row);
  const isOfPerson = entries.some(([field]) => reaches.includes(classOfField(field) ?? "term"));
  for (const [field, value] of entries) {
    const of = classOfField(field) ?? (isOfPerson && field.toLowerCase() === "name" ? "person" : null);
    addValue({ field: of, value, values, depth });
  }
}

const reaches: readonly DataClass[] = ["email", "phone"];

interface Adding {
  readonly field: DataClass | null;
  readonly value: Json;
  readonly values: KnownValue[];
  readonly depth: number;
}

function addValue({ field, value, values, depth }: Adding): void {
  if (values.length >= mostValues || depth > deepest) return;
  if (typeof value === "string") {
    const text = value.trim();
    if (field !== null && text.length >= shortest && text.length <= longest) values.push({ value: text, class: field });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  if (isList(value)) for (const member of value) addValue({ field, value: member, values, depth: depth + 1 });
  else addFrom({ row: value, values, depth: depth + 1 });
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function classOfField(field: string): DataClass | null {
  const word = field.replaceAll(/[^A-Za-z]/g, "").toLowerCase();
  return Object.hasOwn(fields, word) ? (fields[word] ?? null) : null;
}

const named = (of: DataClass, words: string): [string, DataClass][] => words.split(" ").map((word) => [word, of]);

/** Names of fields, in lower case and without what is no letter, that mean one thing wherever they stand. */
const fields: Readonly<Record<string, DataClass>> = Object.fromEntries([
  ...named("email", "email mail emailaddress mailaddress contactemail customeremail workemail"),
  ...named("phone", "phone phonenumber telephone mobile mobilenumber cellphone contactphone customerphone fax"),
  ...named("person", "fullname firstname lastname surname givenname familyname displayname personname contactname"),
  ...named("person", "customername employeename requestername holdername accountholder cardholder patientname recipientname"),
  ...named("address", "streetaddress street postaladdress homeaddress shippingaddress billingaddress deliveryaddress address"),
  ...named("birth_date", "birthdate dateofbirth dob birthday"),
  ...named("iban", "iban"),
  ...named("national_id", "ssn socialsecuritynumber nationalid taxid"),
  ...named("passport", "passport passportnumber"),
]);
