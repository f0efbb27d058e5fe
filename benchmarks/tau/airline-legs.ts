import { airline, type Leg } from "./airline-book.ts";
import type { Book } from "./book.ts";
import type { Outcome } from "./tool.ts";

/** A flight on a date for a number of travellers, at the price of today; refused where it cannot be booked or is full. */
export function legOn({
  book,
  asked,
  cabin,
  travellers,
}: {
  readonly book: Book;
  readonly asked: { readonly flight_number: string; readonly date: string };
  readonly cabin: string;
  readonly travellers: number;
}): { readonly kind: "leg"; readonly leg: Leg } | Extract<Outcome, { kind: "refused" }> {
  const { flight_number, date } = asked;
  const flight = airline.flight(book, flight_number);
  const day = flight === null ? null : airline.day(flight, date);
  if (flight === null || day === null) return { kind: "refused", why: `Flight ${flight_number} not found on date ${date}` };
  const price = day.prices?.[cabin];
  const seats = day.available_seats?.[cabin];
  if (day.status !== "available" || price === undefined || seats === undefined)
    return { kind: "refused", why: `Flight ${flight_number} not available on date ${date}` };
  if (seats < travellers) return { kind: "refused", why: `Not enough seats on flight ${flight_number}` };
  const { origin, destination } = flight;
  return { kind: "leg", leg: { flight_number, origin, destination, date, price } };
}
