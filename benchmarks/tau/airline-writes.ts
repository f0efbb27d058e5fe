import { z } from "zod";
import { type AirlineUser, airline, cabins, type Leg, type Payment, passenger } from "./airline-book.ts";
import { booking } from "./airline-booking.ts";
import { legOn } from "./airline-legs.ts";
import { changed, defineTool, type Outcome, refused, type Tool } from "./tool.ts";

const text = z.string();
const certificates = ["certificate_3221322", "certificate_3221323", "certificate_3221324"];

const cancel = defineTool({
  name: "cancel_reservation",
  writes: true,
  form: z.strictObject({ reservation_id: text }),
  run: ({ reservation_id }, book) => {
    const reservation = airline.reservation(book, reservation_id);
    if (reservation === null) return refused("Reservation not found");
    const refunds = reservation.payment_history.map(({ payment_id, amount }) => ({ payment_id, amount: -amount }));
    const payment_history = [...reservation.payment_history, ...refunds];
    return changed({ [`reservations/${reservation_id}`]: { ...reservation, status: "cancelled", payment_history } });
  },
});

const sendCertificate = defineTool({
  name: "send_certificate",
  writes: true,
  form: z.strictObject({ user_id: text, amount: z.number() }),
  run: ({ user_id, amount }, book) => {
    const user = airline.user(book, user_id);
    if (user === null) return refused("User not found");
    const id = certificates.find((one) => airline.method(user, one) === null);
    if (id === undefined) return refused("Too many certificates");
    const payment_methods = { ...user.payment_methods, [id]: { id, amount, source: "certificate" } };
    return changed({ [`users/${user_id}`]: { ...user, payment_methods } });
  },
});

const updateBaggages = defineTool({
  name: "update_reservation_baggages",
  writes: true,
  form: z.strictObject({ reservation_id: text, total_baggages: z.int(), nonfree_baggages: z.int(), payment_id: text }),
  run: ({ reservation_id, total_baggages, nonfree_baggages, payment_id }, book) => {
    const reservation = airline.reservation(book, reservation_id);
    if (reservation === null) return refused("Reservation not found");
    const user = airline.user(book, reservation.user_id);
    if (user === null) return refused("User not found");
    const amount = 50 * Math.max(0, nonfree_baggages - reservation.nonfree_baggages);
    const paid = pay(user, { payment_id, amount });
    if (paid.kind === "refused") return paid;
    const payment_history = [...reservation.payment_history, ...paid.payments];
    return changed({
      [`reservations/${reservation_id}`]: { ...reservation, total_baggages, nonfree_baggages, payment_history },
      [`users/${user.user_id}`]: user,
    });
  },
});

const updateFlights = defineTool({
  name: "update_reservation_flights",
  writes: true,
  form: z.strictObject({
    reservation_id: text,
    cabin: z.enum(cabins),
    flights: z.array(z.object({ flight_number: text, date: text })),
    payment_id: text,
  }),
  run: ({ reservation_id, cabin, flights, payment_id }, book) => {
    const reservation = airline.reservation(book, reservation_id);
    if (reservation === null) return refused("Reservation not found");
    const user = airline.user(book, reservation.user_id);
    if (user === null) return refused("User not found");
    const travellers = reservation.passengers.length;
    const legs: Leg[] = [];
    for (const asked of flights) {
      // What is kept in the same cabin keeps its price and needs no new seat.
      const kept = reservation.flights.find(
        (one) => one.flight_number === asked.flight_number && one.date === asked.date && cabin === reservation.cabin,
      );
      const found = kept === undefined ? legOn({ book, asked, cabin, travellers }) : { kind: "leg" as const, leg: kept };
      if (found.kind === "refused") return found;
      legs.push(found.leg);
    }
    const priceOf = (all: readonly { price: number }[]): number => all.reduce((sum, { price }) => sum + price * travellers, 0);
    const paid = pay(user, { payment_id, amount: priceOf(legs) - priceOf(reservation.flights) });
    if (paid.kind === "refused") return paid;
    const payment_history = [...reservation.payment_history, ...paid.payments];
    return changed({
      [`reservations/${reservation_id}`]: { ...reservation, cabin, flights: legs, payment_history },
      [`users/${user.user_id}`]: user,
    });
  },
});

const updatePassengers = defineTool({
  name: "update_reservation_passengers",
  writes: true,
  form: z.strictObject({ reservation_id: text, passengers: z.array(passenger) }),
  run: ({ reservation_id, passengers }, book) => {
    const reservation = airline.reservation(book, reservation_id);
    if (reservation === null) return refused("Reservation not found");
    if (passengers.length !== reservation.passengers.length) return refused("Number of passengers does not match");
    return changed({ [`reservations/${reservation_id}`]: { ...reservation, passengers } });
  },
});

/** The airline's tools that change something. */
export const airlineWrites: readonly Tool[] = [booking, cancel, sendCertificate, updateBaggages, updateFlights, updatePassengers];

type Paid = { readonly kind: "paid"; readonly payments: readonly Payment[] } | Extract<Outcome, { kind: "refused" }>;

/** Takes an amount (or gives it back, below zero) by one way of paying; a certificate is no such way, and nothing is no payment. */
function pay(user: AirlineUser, { payment_id, amount }: Payment): Paid {
  const method = airline.method(user, payment_id);
  if (method === null) return { kind: "refused", why: "Payment method not found" };
  if (method.source === "certificate") return { kind: "refused", why: "Certificate cannot be used to update reservation" };
  if (method.source === "gift_card") {
    if ((method.amount ?? 0) < amount) return { kind: "refused", why: "Gift card balance is not enough" };
    method.amount = (method.amount ?? 0) - amount;
  }
  return { kind: "paid", payments: amount === 0 ? [] : [{ payment_id, amount }] };
}
