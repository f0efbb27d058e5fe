import type { DataClass } from "../../contract/privacy.ts";

/** What a type of entity of another recogniser is with us. */
export interface EntityKind {
  readonly class: DataClass;
  readonly kind: string;
  readonly jurisdiction: string | null;
}

const row = (dataClass: DataClass, kind: string, jurisdiction: string | null = null): EntityKind => ({
  class: dataClass,
  kind,
  jurisdiction,
});

/** Types that tell nothing of one person by themselves. */
const ignored: ReadonlySet<string> = new Set(["DATE_TIME", "NRP", "URL", "AGE", "TITLE", "DOMAIN_NAME", "MISC", "O"]);

const known: Readonly<Record<string, EntityKind>> = {
  ...{ PERSON: row("person", "name"), PER: row("person", "name") },
  ...{ ORGANIZATION: row("organisation", "name"), ORG: row("organisation", "name") },
  ...{ LOCATION: row("address", "place"), LOC: row("address", "place"), GPE: row("address", "place") },
  ...{ ADDRESS: row("address", "street"), STREET_ADDRESS: row("address", "street"), ZIP_CODE: row("address", "postcode") },
  ...{
    EMAIL_ADDRESS: row("email", "email"),
    EMAIL: row("email", "email"),
    PHONE_NUMBER: row("phone", "phone"),
    PHONE: row("phone", "phone"),
  },
  ...{ CREDIT_CARD: row("card", "card"), IBAN_CODE: row("iban", "iban"), CRYPTO: row("account", "crypto") },
  ...{ IP_ADDRESS: row("ip", "ip"), MAC_ADDRESS: row("mac", "mac"), US_BANK_NUMBER: row("account", "us_bank_number", "us") },
  ...{ US_SSN: row("national_id", "us_ssn", "us"), US_ITIN: row("national_id", "us_itin", "us") },
  ...{
    US_DRIVER_LICENSE: row("national_id", "us_driving_licence", "us"),
    MEDICAL_LICENSE: row("national_id", "us_medical_licence", "us"),
  },
  ...{ UK_NHS: row("national_id", "gb_nhs", "gb"), UK_NINO: row("national_id", "gb_nino", "gb") },
  ...{
    US_PASSPORT: row("passport", "us_passport", "us"),
    IT_PASSPORT: row("passport", "it_passport", "it"),
    IN_PASSPORT: row("passport", "in_passport", "in"),
  },
  ...{ IN_VEHICLE_REGISTRATION: row("vehicle", "in_plate", "in") },
};

/** Countries whose letters begin the name of a type, where another one is meant than ISO 3166-1 says. */
const otherCountry: Readonly<Record<string, string>> = { uk: "gb" };

/**
 * Says what a type of entity is with us; `null` for what is let through, such as a date. A type with a country before it is a national
 * number; any other one that is not known is a `term`: somebody asked for it to be found.
 * @example
 * entityKind("PL_PESEL"); // { class: "national_id", kind: "pl_pesel", jurisdiction: "pl" }
 */
export function entityKind(type: string): EntityKind | null {
  if (ignored.has(type)) return null;
  if (Object.hasOwn(known, type)) return known[type] ?? null;
  const kind = type
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "_")
    .slice(0, 40);
  const country = /^([A-Z]{2})_/.exec(type)?.[1]?.toLowerCase();
  return country === undefined ? row("term", kind) : row("national_id", kind, otherCountry[country] ?? country);
}
