import { z } from "zod";
import type { JsonObject } from "../../src/contract/json.ts";
import { airline, type Flight } from "./airline-book.ts";
import { documentOf } from "./book.ts";
import { defineTool, found, refused, type Tool } from "./tool.ts";

const text = z.string();
const search = z.strictObject({ origin: text, destination: text, date: text });

/** The airline's tools that look something up. */
export const airlineReads: readonly Tool[] = [
  ...["reservation", "user"].map((kind) =>
    defineTool({
      name: `get_${kind}_details`,
      writes: false,
      form: z.strictObject({ [`${kind}_id`]: text }),
      run: (args, book) => {
        const document = book.read(`${kind}s/${args[`${kind}_id`]}`);
        return document === null ? refused(`${kind} not found`) : found(document);
      },
    }),
  ),
  defineTool({
    name: "get_flight_status",
    writes: false,
    form: z.strictObject({ flight_number: text, date: text }),
    run: ({ flight_number, date }, book) => {
      const flight = airline.flight(book, flight_number);
      const day = flight === null ? null : airline.day(flight, date);
      return day === null ? refused("Flight not found") : found(day.status);
    },
  }),
  defineTool({
    name: "list_all_airports",
    writes: false,
    form: z.strictObject({}),
    run: (_, book) => {
      const all = airline.flights(book).flatMap(({ origin, destination }) => [origin, destination]);
      return found([...new Set(all)].sort());
    },
  }),
  defineTool({
    name: "search_direct_flight",
    writes: false,
    form: search,
    run: ({ origin, destination, date }, book) => {
      const between = airline.flights(book).filter((one) => one.origin === origin && one.destination === destination);
      return found(between.flatMap((flight) => offered(flight, date) ?? []));
    },
  }),
  defineTool({
    name: "search_onestop_flight",
    writes: false,
    form: search,
    run: ({ origin, destination, date }, book) => {
      const all = airline.flights(book);
      const away = all.filter((one) => one.origin === origin);
      const pairs = away.flatMap((first) =>
        all
          .filter((second) => second.destination === destination && second.origin === first.destination)
          .flatMap((second) => connection({ first, second, date })),
      );
      return found(pairs);
    },
  }),
];

/** A flight as it is offered on a date; `null` where it cannot be booked then. */
function offered(flight: Flight, date: string): JsonObject | null {
  const day = airline.day(flight, date);
  if (day === null || day.status !== "available") return null;
  const { dates: _, ...shown } = flight;
  return documentOf({ ...shown, status: day.status, available_seats: day.available_seats, prices: day.prices });
}

/** The second flight leaves after the first one arrived; where that is a day later, so is the second. */
function connection({ first, second, date }: { first: Flight; second: Flight; date: string }): JsonObject[][] {
  const arrival = first.scheduled_arrival_time_est;
  const secondDate = arrival.includes("+1") ? nextDay(date) : date;
  if (arrival > second.scheduled_departure_time_est) return [];
  const one = offered(first, date);
  const other = offered(second, secondDate);
  if (one === null || other === null) return [];
  return [
    [
      { ...one, date },
      { ...other, date: secondDate },
    ],
  ];
}

function nextDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime())) return date;
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}
