import type { Binding, PlanDraft, Slot } from "../../../src/contract/plan.ts";
import { allFrom, answerOnly, chosen, constant, filled, from, list, literal, only, open, where, written } from "./binding.ts";

/**
 * Plans for the tasks of the travel agency, by number, written from the request and the declarations alone. Conventions: an event on a day
 * without an hour takes the whole day; where the year is not said, the planner chooses it with the hour; an event has a description,
 * written from what was read, unless the request gives one.
 */
export const travelPlans: Readonly<Record<number, PlanDraft>> = {
  1: only(
    { id: "ratings", tool: "get_rating_reviews_for_hotels", args: { hotel_names: list(literal("City Hub")) } },
    { id: "prices", tool: "get_hotels_prices", args: { hotel_names: list(literal("City Hub")) } },
    { id: "address", tool: "get_hotels_address", args: { hotel_name: literal("City Hub") } },
    {
      id: "reminder",
      tool: "create_calendar_event",
      args: {
        // The name resolves only where the request's condition holds.
        title: from("prices", "/name", {
          where: [
            where("/price_min", "less_than", literal("200")),
            where("/name", "in", allFrom("ratings", "/name", { where: [where("/rating", "greater_than", literal("4"))] })),
          ],
        }),
        location: from("address", "/address"),
        description: written("ratings", "prices"),
        ...wholeDay("2025-01-02"),
      },
    },
  ),
  2: answerOnly,
  3: only(
    ...hotelsInParis(),
    { id: "ratings", tool: "get_rating_reviews_for_hotels", args: { hotel_names: allFrom("hotels") } },
    { id: "prices", tool: "get_hotels_prices", args: { hotel_names: bestRated("ratings", "many") } },
    { id: "address", tool: "get_hotels_address", args: { hotel_name: dearest("prices") } },
    {
      id: "mail",
      tool: "send_email",
      args: {
        recipients: list(literal("janeLong@google.com")),
        subject: filled("Hotel: {hotel_name}", { hotel_name: dearest("prices") }),
        body: filled("Stay at {hotel_name}, address: {hotel_address}, from January 1st to January 5th.", {
          hotel_name: dearest("prices"),
          hotel_address: from("address", "/address"),
        }),
      },
    },
  ),
  4: only(
    ...hotelsInParis(),
    { id: "prices", tool: "get_hotels_prices", args: { hotel_names: allFrom("hotels") } },
    {
      id: "ratings",
      tool: "get_rating_reviews_for_hotels",
      args: { hotel_names: allFrom("prices", "/name", { where: [where("/price_max", "less_than", literal("210"))] }) },
    },
    { id: "address", tool: "get_hotels_address", args: { hotel_name: bestRated("ratings", "one") } },
    {
      id: "reminder",
      tool: "create_calendar_event",
      args: {
        title: filled("Booking hotel {hotel_name}", { hotel_name: bestRated("ratings", "one") }),
        location: from("address", "/address"),
        description: written("ratings", "prices"),
        // The original's own calls take another year than the request.
        start_time: open("the request gives the day and no hour"),
        end_time: open("the request gives the day and no hour"),
      },
    },
  ),
  5: answerOnly,
  6: answerOnly,
  7: only(
    ...restaurantsInParis(),
    { id: "kitchens", tool: "get_cuisine_type_for_restaurants", args: { restaurant_names: allFrom("restaurants") } },
    {
      id: "ratings",
      tool: "get_rating_reviews_for_restaurants",
      args: { restaurant_names: allFrom("kitchens", "/name", { where: [where("/cuisine_type", "equals", literal("Israeli"))] }) },
    },
    ...dinnerAt(bestRated("ratings", "one")),
  ),
  8: only(
    ...restaurantsInParis(),
    { id: "diets", tool: "get_dietary_restrictions_for_all_restaurants", args: { restaurant_names: allFrom("restaurants") } },
    {
      id: "ratings",
      tool: "get_rating_reviews_for_restaurants",
      args: {
        restaurant_names: allFrom("diets", "/name", { where: [where("/dietary_restrictions", "contains", literal("vegan"))] }),
      },
    },
    { id: "prices", tool: "get_price_for_restaurants", args: { restaurant_names: bestRated("ratings", "many") } },
    ...dinnerAt(from("prices", "/name", { pick: { by: "/price_per_person", order: "least" } })),
  ),
  9: answerOnly,
  11: answerOnly,
  12: answerOnly,
  13: answerOnly,
  15: answerOnly,
  16: answerOnly,
  18: answerOnly,
};

function hotelsInParis(): readonly Slot[] {
  return [{ id: "hotels", tool: "get_all_hotels_in_city", args: { city: literal("Paris") } }];
}

function restaurantsInParis(): readonly Slot[] {
  return [{ id: "restaurants", tool: "get_all_restaurants_in_city", args: { city: literal("Paris") } }];
}

function bestRated(slot: string, how: "one" | "many"): Binding {
  const choice = { pick: { by: "/rating", order: "greatest" } } as const;
  return how === "one" ? from(slot, "/name", choice) : allFrom(slot, "/name", choice);
}

function dearest(slot: string): Binding {
  return from(slot, "/name", { pick: { by: "/price_max", order: "greatest" } });
}

function wholeDay(day: string): { readonly start_time: Binding; readonly end_time: Binding } {
  return { start_time: constant(`${day} 00:00`), end_time: constant(`${day} 23:59`) };
}

/** The address of a restaurant, and the reminder to book a table there. */
function dinnerAt(restaurant: Binding): readonly Slot[] {
  return [
    { id: "addresses", tool: "get_restaurants_address", args: { restaurant_names: list(restaurant) } },
    {
      id: "reminder",
      tool: "create_calendar_event",
      args: {
        title: filled("Dinner at {restaurant_name}", { restaurant_name: restaurant }),
        location: from("addresses", "/address"),
        description: written("ratings"),
        start_time: chosen,
        end_time: chosen,
      },
    },
  ];
}
