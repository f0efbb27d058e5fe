import { z } from "zod";

/** What every capability of this project takes: the request as a person wrote it. */
export const request = z.strictObject({ text: z.string().trim().min(1).max(2000) });
export type Request = z.infer<typeof request>;

/** The one order that a text names, such as `ord-1001`; `null` where it names none or several. */
export function orderNamed(text: string): string | null {
  const named = new Set((text.match(/\bord-\d{4}\b/gi) ?? []).map((id) => id.toLowerCase()));
  return named.size === 1 ? ([...named][0] ?? null) : null;
}

/** Stops a request that names no single order: an order is never guessed, least of all when money goes back. */
export function checkOrderNamed({ inputs }: { inputs: Request }) {
  if (orderNamed(inputs.text) !== null) return { kind: "pass" } as const;
  const detail = "Name one order by its number, such as ord-1001; one order at a time.";
  return { kind: "stop", reason: "reference_unresolved", detail } as const;
}
