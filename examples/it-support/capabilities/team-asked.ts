import { type Envelope, instantOf } from "countersign";

/** The zone in which people say days. */
const zone = "Europe/Berlin";
const asksLead = /\bwho\b.*\bit[ -]?leads?\b/i;
const namesTeam = /\b(?!my\b|our\b|the\b|whose\b|which\b)([a-z]+) team\b/i;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** What a question about a team's IT lead asks for: of whom, and as of when in milliseconds since the epoch; `null` for another question. */
export function teamAsked(text: string, { principal, at }: Envelope): { readonly subject: string; readonly at: number } | null {
  if (!asksLead.test(text)) return null;
  const [, team] = namesTeam.exec(text) ?? [];
  const day = dayNamed(text);
  const subject = team === undefined ? `employee:${principal.id}` : `team:${team.toLowerCase()}`;
  return { subject, at: day === null ? at : instantOf(day, zone) };
}

/** The day that a text names first, as `2025-05-15` or `15 May 2025`, in the former form; `null` where there is none or no such day. */
export function dayNamed(text: string): string | null {
  const [, iso] = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text) ?? [];
  const [, day, word, year] = /\b(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?([a-z]{3,9})\.? (\d{4})\b/i.exec(text) ?? [];
  const month = months.indexOf((word ?? "").slice(0, 3).toLowerCase()) + 1;
  const written = iso ?? (month === 0 ? undefined : `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`);
  if (written === undefined) return null;
  const read = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(written) ? written : null;
}
