import { z } from "zod";
import type { Parts } from "../parts.ts";
import { type Answer, defineTool, type Tool } from "../tool.ts";
import { minutesAfter, momentOf } from "./moment.ts";
import { carReads, flightReads, hotelReads, restaurantReads } from "./travel-reads.ts";

const text = z.string();
/** A table is kept for so long. */
const tableMinutes = 120;

/** The tools of a booking agency. */
export const travelTools: readonly Tool[] = [
  ...hotelReads,
  ...restaurantReads,
  ...carReads,
  ...flightReads,
  defineTool({
    name: "get_user_information",
    parts: ["user"],
    form: z.strictObject({}),
    run: (_, { user }) => ({ result: user }),
  }),
  defineTool({
    name: "reserve_hotel",
    parts: ["reservation", "user"],
    form: z.strictObject({ hotel: text, start_day: text, end_day: text }),
    run: ({ hotel, start_day, end_day }, { user }) =>
      reserved({ user, type: "hotel", title: hotel, start: momentOf(start_day), end: momentOf(end_day) }),
  }),
  defineTool({
    name: "reserve_restaurant",
    parts: ["reservation", "user"],
    form: z.strictObject({ restaurant: text, start_time: text }),
    run: ({ restaurant, start_time }, { user }) => {
      const start = momentOf(start_time);
      const end = start === null ? null : minutesAfter(start, tableMinutes);
      return reserved({ user, type: "restaurant", title: restaurant, start, end });
    },
  }),
  defineTool({
    name: "reserve_car_rental",
    parts: ["reservation", "user"],
    form: z.strictObject({ company: text, start_time: text, end_time: text.nullable() }),
    run: ({ company, start_time, end_time }, { user }) => {
      const start = momentOf(start_time);
      return reserved({ user, type: "car", title: company, start, end: end_time === null ? start : momentOf(end_time) });
    },
  }),
];

/** There is one reservation, and a new one takes its place. */
function reserved({
  user,
  type,
  title,
  start,
  end,
}: {
  user: Parts["user"];
  type: string;
  title: string;
  start: string | null;
  end: string | null;
}): Answer {
  if (start === null || end === null) return { error: "a time is `YYYY-MM-DD HH:MM`, a day is `YYYY-MM-DD`" };
  const reservation = {
    reservation_type: type,
    title,
    start_time: start,
    end_time: end,
    contact_information: user.phone_number,
  };
  return { result: reservation, changed: { reservation } };
}
