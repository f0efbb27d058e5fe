import { CountersignError } from "../contract/errors.ts";
import type { Json, JsonObject } from "../contract/json.ts";
import type { DataClass, KnownValue } from "../contract/privacy.ts";

/** Most values that one decision remembers, and the lengths between which a value is one, in UTF-16 code units. */
const [mostValues, shortest, longest] = [1_000, 3, 200] as const;

/** What is known of people in one decision: each value once in each class, in the order in which it was read. */
export interface KnownValues {
  readonly all: () => readonly KnownValue[];
  /**
   * Adds what rows of records, or the attributes of an account, say of people under names that mean nothing else, such as `email`, `phone`
   * or `customer_name`. A bare `name` counts where the same row has an address or number of a person's; a product has none. Throws
   * `record_unavailable`, and adds nothing, where that were more values than are remembered: what is not known would be sent in clear.
   */
  readonly learn: (rows: readonly JsonObject[]) => void;
}

/** Opens what one decision knows of people; nothing yet. */
export function openKnownValues(): KnownValues {
  const known = new Map<string, KnownValue>();
  return {
    all: () => [...known.values()],
    learn: (rows) => {
      const added = new Map<string, KnownValue>();
      for (const row of rows) {
        for (const [id, value] of valuesIn(row)) if (!known.has(id)) added.set(id, value);
        if (known.size + added.size > mostValues) throw tooMany();
      }
      for (const [id, value] of added) known.set(id, value);
    },
  };
}

function tooMany(): CountersignError {
  const message = `what was read holds more than ${mostValues} names, addresses and numbers of people in one decision; read fewer rows or columns`;
  return new CountersignError("record_unavailable", message, { facts: { mostValues } });
}

interface Place {
  readonly field: DataClass | null;
  readonly value: Json;
}

/** The values of one row, by class and value. However deep it is, each list and object in it is looked at once for each class. */
function valuesIn(row: JsonObject): ReadonlyMap<string, KnownValue> {
  const values = new Map<string, KnownValue>();
  const seen = new Map<DataClass | null, Set<object>>();
  const places: Place[] = [{ field: null, value: row }];
  // What is appended while it runs is walked as well.
  for (const { field, value } of places) {
    if (typeof value === "string") addText({ text: value.trim(), field, values });
    else if (typeof value === "object" && value !== null && isNew(seen, isList(value) ? field : null, value))
      for (const place of placesIn(value, field)) places.push(place);
  }
  return values;
}

function addText({ text, field, values }: { text: string; field: DataClass | null; values: Map<string, KnownValue> }): void {
  if (field === null || text.length < shortest || text.length > longest) return;
  values.set(`${field} ${text}`, { value: text, class: field });
}

function isNew(seen: Map<DataClass | null, Set<object>>, field: DataClass | null, value: object): boolean {
  const ofField = seen.get(field) ?? new Set();
  if (ofField.has(value)) return false;
  seen.set(field, ofField.add(value));
  return true;
}

function placesIn(value: readonly Json[] | JsonObject, field: DataClass | null): readonly Place[] {
  if (isList(value)) return value.map((member) => ({ field, value: member }));
  const entries = Object.entries(value);
  const isOfPerson = entries.some(([name]) => reaches.includes(classOfField(name) ?? "term"));
  return entries.map(([name, below]) => ({
    field: classOfField(name) ?? (isOfPerson && name.toLowerCase() === "name" ? "person" : null),
    value: below,
  }));
}

const reaches: readonly DataClass[] = ["email", "phone"];

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
