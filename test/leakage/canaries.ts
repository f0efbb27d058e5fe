import type { DataClass } from "../../src/contract/privacy.ts";

/** One made-up value of personal data, as a person would write it. */
interface PersonalCanary {
  readonly class: DataClass;
  readonly value: string;
  /** A sentence with the value in it. */
  readonly says: string;
}

const canary = (of: DataClass, value: string, before: string, after = "."): PersonalCanary => ({
  class: of,
  value,
  says: `${before} ${value}${after}`,
});

/** What a tenant's dictionary names. */
export const term = "Project Nightjarring";
/** An organisation stays unless the policy asks for it; this one is asked for by a dictionary. */
export const organisation = "Brackenthwaite Holdings";

/** One value of every class, each beside what a person would write beside it. */
export const canaries: readonly PersonalCanary[] = [
  canary("person", "Szilvia Brandthaler", "My name is"),
  canary("address", "14 Birkenhof Lane, Tarnfeld 48155", "I live at"),
  canary("email", "szilvia.brandthaler+desk@corvane-mail.example.com", "Write to me at"),
  canary("phone", "+49 151 23456789", "Call me on"),
  canary("card", "4539 1488 0343 6467", "My card number is"),
  canary("iban", "DE89 3704 0044 0532 0130 00", "My IBAN is"),
  canary("account", "0048 7731 59", "My bank account number is"),
  canary("national_id", "536-22-8145", "My social security number is"),
  canary("ip", "81.93.12.77", "I come from the IP address"),
  canary("mac", "3c:52:82:1b:44:a7", "The MAC address of my machine is"),
  canary("url_credential", "https://szilvia:hunter2-otter@files.corvane.example/share", "The files are at", " ."),
  canary("secret", "sk-proj-9aKd82LmQz71XcVbNw34RtYu", "My API key is"),
  canary("birth_date", "12 March 1984", "I was born on"),
  canary("vehicle", "1HGCM82633A004352", "The VIN of my car is"),
  canary("passport", "C01X00T47", "My passport number is"),
  canary("organisation", organisation, "I work for"),
  canary("term", term, "It is about"),
];

/** All of them in one text. */
export const canaryText = canaries.map(({ says }) => says).join("\n");

/** A few of them at a time, so that what a request asks for is still most of what it says. */
export const canaryBatches: readonly string[] = Array.from({ length: Math.ceil(canaries.length / 3) }, (_, at) =>
  canaries
    .slice(3 * at, 3 * at + 3)
    .map(({ says }) => says)
    .join(" "),
);

/** The forms in which a value may stand in a text that holds it: as it is, without what only separates, as JSON and URLs spell it. */
function spellingsOf(value: string): readonly string[] {
  const packed = value.replaceAll(/[\s-]/g, "");
  const encoded = [
    encodeURIComponent(value),
    Buffer.from(value).toString("base64").replace(/=+$/, ""),
    JSON.stringify(value).slice(1, -1),
  ];
  return [...new Set([value, ...(/\d/.test(value) && packed.length >= 9 ? [packed] : []), ...encoded])];
}

/** The classes of which a value stands in a text, in whatever spelling; never the value. */
export function leaksIn(text: string): readonly DataClass[] {
  const folded = text.toLowerCase();
  return canaries
    .filter(({ value }) => spellingsOf(value).some((spelling) => folded.includes(spelling.toLowerCase())))
    .map(({ class: of }) => of);
}
