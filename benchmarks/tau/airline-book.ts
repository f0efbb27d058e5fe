import { z } from "zod";
import type { Json } from "../../src/contract/json.ts";
import type { Book } from "./book.ts";

// What no tool looks at stays as it is.
const rest = z.custom<Json>();

/** The cabins, each a class of its own. */
export const cabins = ["business", "economy", "basic_economy"] as const;

const byCabin = z.record(z.string(), z.number());
const day = z.object({ status: z.string(), available_seats: byCabin.optional(), prices: byCabin.optional() }).catchall(rest);
const flightForm = z
  .object({
    flight_number: z.string(),
    origin: z.string(),
    destination: z.string(),
    scheduled_departure_time_est: z.string(),
    scheduled_arrival_time_est: z.string(),
    dates: z.record(z.string(), day),
  })
  .catchall(rest);
/** A traveller as arguments and reservations hold one. */
export const passenger = z.object({ first_name: z.string(), last_name: z.string(), dob: z.string() });
/** A payment as arguments and reservations hold one. */
export const payment = z.object({ payment_id: z.string(), amount: z.number() });
const leg = z.object({
  flight_number: z.string(),
  origin: z.string(),
  destination: z.string(),
  date: z.string(),
  price: z.number(),
});
const reservationForm = z
  .object({
    reservation_id: z.string(),
    user_id: z.string(),
    cabin: z.string(),
    flights: z.array(leg),
    passengers: z.array(passenger),
    payment_history: z.array(payment),
    total_baggages: z.number(),
    nonfree_baggages: z.number(),
  })
  .catchall(rest);
const method = z.object({ id: z.string(), source: z.string(), amount: z.number().optional() }).catchall(rest);
const userForm = z
  .object({ user_id: z.string(), payment_methods: z.record(z.string(), method), reservations: z.array(z.string()) })
  .catchall(rest);

export type Flight = z.infer<typeof flightForm>;
export type FlightDay = z.infer<typeof day>;
export type Leg = z.infer<typeof leg>;
export type Payment = z.infer<typeof payment>;
export type AirlineUser = z.infer<typeof userForm>;
export type AirlineMethod = z.infer<typeof method>;

/** The documents of the airline, each a copy of its own that a tool may alter; `null` where there is none. */
export const airline = {
  flight: (book: Book, number: string) => parsed(flightForm, book.read(`flights/${number}`)),
  flights: (book: Book) => book.list("flights").map((document) => flightForm.parse(document)),
  reservation: (book: Book, id: string) => parsed(reservationForm, book.read(`reservations/${id}`)),
  user: (book: Book, id: string): AirlineUser | null => parsed(userForm, book.read(`users/${id}`)),
  day: ({ dates }: Flight, date: string): FlightDay | null => own(dates, date),
  method: (user: AirlineUser, id: string): AirlineMethod | null => own(user.payment_methods, id),
} as const;

function parsed<T>(form: z.ZodType<T>, document: unknown): T | null {
  return document === null ? null : form.parse(document);
}

/** Ids come from a model: `constructor` is not one of them. */
function own<T>(members: Readonly<Record<string, T>>, id: string): T | null {
  return Object.hasOwn(members, id) ? (members[id] ?? null) : null;
}
