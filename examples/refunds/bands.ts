import type { Currency, Money } from "./money.ts";

export type Band = "small" | "medium" | "large";

/** Refund policy 3.0, in minor units: the last amount of each band, and what nobody refunds here. A test compares it with the document. */
export const bandLimits: Readonly<Record<Currency, { readonly small: number; readonly medium: number; readonly cap: number }>> = {
  GBP: { small: 10_000, medium: 100_000, cap: 500_000 },
  EUR: { small: 10_000, medium: 100_000, cap: 500_000 },
  JPY: { small: 15_000, medium: 150_000, cap: 750_000 },
};

const riskOfBand = { small: "low", medium: "medium", large: "high" } as const;

/** The band that an amount falls into. */
export function bandOf({ minor, currency }: Money): Band {
  const { small, medium } = bandLimits[currency];
  return minor <= small ? "small" : minor <= medium ? "medium" : "large";
}

/** How many people a refund takes: none for a small one in an opened slice, one for a medium, two for a large. */
export function riskOf(money: Money): "low" | "medium" | "high" {
  return riskOfBand[bandOf(money)];
}

/** The most that somebody with these roles may ask to be refunded in one request, in minor units; 0 for nobody's roles. */
export function mayAskMinor(roles: readonly string[], currency: Currency): number {
  const { medium, cap } = bandLimits[currency];
  if (roles.includes("support-lead")) return cap;
  return roles.includes("support") ? medium : 0;
}
