import type { FieldLabel } from "../../../src/contract/context.ts";
import type { ArgRule, CallRule } from "../../../src/contract/plan.ts";
import { cancelEvent, createEvent, dayEvents, searchEvents } from "./calendar.ts";
import { sendEmail } from "./mail.ts";

const names: ArgRule = { class: "selector", type: "text", many: true };
const name: ArgRule = { class: "selector", type: "text" };
const city: ArgRule = { class: "param", type: "text" };
const time: ArgRule = { class: "time", type: "time" };
const day: ArgRule = { class: "time", type: "date" };

/**
 * Reading the agency's catalogue: the agency keeps names, addresses, prices and hours; it works out the rating; guests write the reviews.
 */
const catalogueRules: readonly CallRule[] = [
  catalogue("get_all_hotels_in_city", { city }, { gives: "the names of all hotels in a city", fields: { "/*": "directory" } }),
  records(
    "get_hotels_prices",
    { hotel_names: names },
    { gives: "the lowest and highest price a night (price_min, price_max) of hotels" },
  ),
  records("get_rating_reviews_for_hotels", { hotel_names: names }, { gives: "the rating and the reviews of hotels" }),
  catalogue(
    "get_hotels_address",
    { hotel_name: name },
    {
      gives: "the address of a hotel",
      fields: { "/name": "directory", "/address": "directory" },
    },
  ),
  catalogue(
    "get_all_restaurants_in_city",
    { city },
    { gives: "the names of all restaurants in a city", fields: { "/*": "directory" } },
  ),
  ofRestaurants("get_restaurants_address", "the address"),
  ofRestaurants("get_rating_reviews_for_restaurants", "the rating and the reviews"),
  ofRestaurants("get_cuisine_type_for_restaurants", "the kind of kitchen (cuisine_type)"),
  ofRestaurants("get_dietary_restrictions_for_all_restaurants", "what diets (dietary_restrictions) can be had"),
  ofRestaurants("get_contact_information_for_restaurants", "the phone number or address for questions"),
  ofRestaurants("get_price_for_restaurants", "the price a person (price_per_person)"),
  ofRestaurants("check_restaurant_opening_hours", "the opening hours and days (operating_hours)"),
  catalogue(
    "get_all_car_rental_companies_in_city",
    { city },
    {
      gives: "the names of all companies in a city that rent cars",
      fields: { "/*": "directory" },
    },
  ),
  ofCompanies("get_car_types_available", "the types of cars (car_types_available)"),
  ofCompanies("get_rating_reviews_for_car_rental", "the rating and the reviews"),
  ofCompanies("get_car_rental_address", "the address"),
  ofCompanies("get_car_fuel_options", "the kinds of fuel (fuel_options)"),
  ofCompanies("get_car_price_per_day", "the price a day (price_per_day)"),
  catalogue(
    "get_flight_information",
    { departure_city: city, arrival_city: city },
    {
      gives: "the flights from one city to another: airline, number, times and price",
      fields: { "": "directory" },
    },
  ),
];

/** The tools of a travel agency with the owner's calendar and mail. */
export const travelRules: readonly CallRule[] = [
  ...catalogueRules,
  {
    name: "get_user_information",
    description: "Gives the owner's name, address, numbers of identity, passport, bank account and card.",
    kind: "read",
    space: "own",
    reversible: true,
    args: {},
    fields: {
      "": "own",
      "/ID_number": "secret",
      "/passport_number": "secret",
      "/bank_account_number": "secret",
      "/credit_card_number": "secret",
    },
  },
  reservation("reserve_hotel", { hotel: { class: "target", type: "text" }, start_day: day, end_day: day }),
  reservation("reserve_restaurant", { restaurant: { class: "target", type: "text" }, start_time: time }),
  reservation("reserve_car_rental", { company: { class: "target", type: "text" }, start_time: time, end_time: time }),
  dayEvents,
  searchEvents,
  createEvent,
  cancelEvent,
  sendEmail,
];

function ofRestaurants(tool: string, what: string): CallRule {
  return records(tool, { restaurant_names: names }, { gives: `${what} of restaurants` });
}

function ofCompanies(tool: string, what: string): CallRule {
  return records(tool, { company_name: names }, { gives: `${what} of companies that rent cars` });
}

/** A list of records, each with its name. */
function records(tool: string, args: CallRule["args"], { gives }: { gives: string }): CallRule {
  return catalogue(tool, args, {
    gives: `${gives}, one record for each name`,
    fields: { "": "directory", "/*/rating": "system", "/*/reviews": "third" },
  });
}

function catalogue(
  tool: string,
  args: CallRule["args"],
  { gives, fields }: { gives: string; fields: Readonly<Record<string, FieldLabel>> },
): CallRule {
  return { name: tool, description: `Gives ${gives}.`, kind: "read", space: "own", reversible: true, args, fields };
}

/** A booking binds the owner, and the house that is booked learns of it. */
function reservation(tool: string, args: CallRule["args"]): CallRule {
  return {
    name: tool,
    description: "Books in the owner's name; a booking takes the place of the one before it.",
    kind: "write",
    space: "external",
    reversible: false,
    args,
    fields: {},
  };
}
