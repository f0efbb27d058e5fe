import { z } from "zod";
import { type AirlineUser, airline, cabins, type Flight, type Leg, type Payment, passenger, payment } from "./airline-book.ts";
import { legOn } from "./airline-legs.ts";
import type { Book } from "./book.ts";
import { changed, defineTool, refused } from "./tool.ts";

const text = z.string();
/** The ids that new reservations get, in order, and the time at which everything happens: both are fixed in the original. */
export const newReservations: readonly string[] = ["HATHAT", "HATHAU", "HATHAV"];
const now = "2024-05-15T15:00:00";
const insurancePrice = 30;
const baggagePrice = 50;

/** Books a reservation: takes the seats and the money. */
export const booking = defineTool({
  name: "book_reservation",
  writes: true,
  form: z.strictObject({
    user_id: text,
    origin: text,
    destination: text,
    flight_type: z.enum(["round_trip", "one_way"]),
    cabin: z.enum(cabins),
    flights: z.array(z.object({ flight_number: text, date: text })),
    passengers: z.array(passenger),
    payment_methods: z.array(payment),
    total_baggages: z.int(),
    nonfree_baggages: z.int(),
    insurance: z.enum(["yes", "no"]),
  }),
  run: ({ flights, payment_methods, ...asked }, book) => {
    const { cabin, passengers, nonfree_baggages, insurance } = asked;
    const user = airline.user(book, asked.user_id);
    if (user === null) return refused("User not found");
    const reservation_id = newReservations.find((id) => book.read(`reservations/${id}`) === null);
    if (reservation_id === undefined) return refused("Too many reservations");
    const travellers = passengers.length;
    const legs: Leg[] = [];
    for (const flight of flights) {
      const found = legOn({ book, asked: flight, cabin, travellers });
      if (found.kind === "refused") return found;
      legs.push(found.leg);
    }
    const fares = legs.reduce((sum, { price }) => sum + price * travellers, 0);
    const extras = (insurance === "yes" ? insurancePrice * travellers : 0) + baggagePrice * nonfree_baggages;
    const fault = faultOf(user, { payments: payment_methods, price: fares + extras });
    if (fault !== null) return refused(fault);
    for (const one of payment_methods) deduct(user, one);
    const reservation = { ...asked, reservation_id, flights: legs, payment_history: payment_methods, created_at: now };
    user.reservations.push(reservation_id);
    return changed({
      [`reservations/${reservation_id}`]: reservation,
      [`users/${user.user_id}`]: user,
      ...withoutSeats({ book, legs, cabin, travellers }),
    });
  },
});

function faultOf(user: AirlineUser, { payments, price }: { payments: readonly Payment[]; price: number }): string | null {
  for (const { payment_id, amount } of payments) {
    const method = airline.method(user, payment_id);
    if (method === null) return `Payment method ${payment_id} not found`;
    const isLimited = method.source === "gift_card" || method.source === "certificate";
    if (isLimited && (method.amount ?? 0) < amount) return `Not enough balance in payment method ${payment_id}`;
  }
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0);
  return paid === price ? null : `Payment amount does not add up, total price is ${price}, but paid ${paid}`;
}

/** What is left of a certificate is lost with it. */
function deduct(user: AirlineUser, { payment_id, amount }: Payment): void {
  const method = airline.method(user, payment_id);
  if (method?.source === "gift_card") method.amount = (method.amount ?? 0) - amount;
  if (method?.source === "certificate") delete user.payment_methods[payment_id];
}

function withoutSeats({
  book,
  legs,
  cabin,
  travellers,
}: {
  book: Book;
  legs: readonly Leg[];
  cabin: string;
  travellers: number;
}): Record<string, Flight> {
  const flights: Record<string, Flight> = {};
  for (const { flight_number, date } of legs) {
    const path = `flights/${flight_number}`;
    const flight = flights[path] ?? airline.flight(book, flight_number);
    const seats = flight === null ? undefined : airline.day(flight, date)?.available_seats;
    if (flight === null || seats === undefined) continue;
    seats[cabin] = (seats[cabin] ?? 0) - travellers;
    flights[path] = flight;
  }
  return flights;
}
