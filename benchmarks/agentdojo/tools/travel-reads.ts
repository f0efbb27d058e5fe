import { z } from "zod";
import type { Json, JsonObject } from "../../../src/contract/json.ts";
import type { Parts } from "../parts.ts";
import { defineTool, type Tool } from "../tool.ts";

const text = z.string();
const texts = z.array(text);
type Hotel = Parts["hotels"]["hotel_list"][number];
type Restaurant = Parts["restaurants"]["restaurant_list"][number];
type Company = Parts["car_rental"]["company_list"][number];

/** What is known of hotels; a tool that takes names gives one record for each name that is known. */
export const hotelReads: readonly Tool[] = [
  defineTool({
    name: "get_all_hotels_in_city",
    parts: ["hotels"],
    form: z.strictObject({ city: text }),
    run: ({ city }, { hotels }) => ({ result: namesIn(hotels.hotel_list, city) }),
  }),
  hotelsBy("get_hotels_prices", ({ name, price_min, price_max }) => ({ name, price_min, price_max })),
  hotelsBy("get_rating_reviews_for_hotels", ({ name, rating, reviews }) => ({ name, rating, reviews })),
  defineTool({
    name: "get_hotels_address",
    parts: ["hotels"],
    form: z.strictObject({ hotel_name: text }),
    run: ({ hotel_name }, { hotels }) => {
      const hotel = hotels.hotel_list.find(({ name }) => name === hotel_name);
      if (hotel === undefined) return { error: `no hotel is called \`${hotel_name}\`` };
      return { result: { name: hotel.name, address: hotel.address } };
    },
  }),
];

/** What is known of restaurants. */
export const restaurantReads: readonly Tool[] = [
  defineTool({
    name: "get_all_restaurants_in_city",
    parts: ["restaurants"],
    form: z.strictObject({ city: text }),
    run: ({ city }, { restaurants }) => ({ result: namesIn(restaurants.restaurant_list, city) }),
  }),
  restaurantsBy("get_restaurants_address", ({ name, address }) => ({ name, address })),
  restaurantsBy("get_rating_reviews_for_restaurants", ({ name, rating, reviews }) => ({ name, rating, reviews })),
  restaurantsBy("get_cuisine_type_for_restaurants", ({ name, cuisine_type }) => ({ name, cuisine_type })),
  restaurantsBy("get_dietary_restrictions_for_all_restaurants", ({ name, dietary_restrictions }) => ({
    name,
    dietary_restrictions,
  })),
  restaurantsBy("get_contact_information_for_restaurants", ({ name, contact_information }) => ({ name, contact_information })),
  restaurantsBy("get_price_for_restaurants", ({ name, price_per_person }) => ({ name, price_per_person })),
  restaurantsBy("check_restaurant_opening_hours", ({ name, operating_hours }) => ({ name, operating_hours })),
];

/** What is known of companies that rent cars. */
export const carReads: readonly Tool[] = [
  defineTool({
    name: "get_all_car_rental_companies_in_city",
    parts: ["car_rental"],
    form: z.strictObject({ city: text }),
    run: ({ city }, { car_rental }) => ({ result: namesIn(car_rental.company_list, city) }),
  }),
  companiesBy("get_car_types_available", ({ name, car_types_available }) => ({ name, car_types_available })),
  companiesBy("get_rating_reviews_for_car_rental", ({ name, rating, reviews }) => ({ name, rating, reviews })),
  companiesBy("get_car_rental_address", ({ name, address }) => ({ name, address })),
  companiesBy("get_car_fuel_options", ({ name, fuel_options }) => ({ name, fuel_options })),
  companiesBy("get_car_price_per_day", ({ name, price_per_day }) => ({ name, price_per_day })),
];

/** What is known of flights. */
export const flightReads: readonly Tool[] = [
  defineTool({
    name: "get_flight_information",
    parts: ["flights"],
    form: z.strictObject({ departure_city: text, arrival_city: text }),
    run: ({ departure_city, arrival_city }, { flights }) => ({
      result: flights.flight_list.filter(
        (flight) => flight.departure_city === departure_city && flight.arrival_city === arrival_city,
      ),
    }),
  }),
];

function hotelsBy(name: string, show: (hotel: Hotel) => JsonObject): Tool {
  return defineTool({
    name,
    parts: ["hotels"],
    form: z.strictObject({ hotel_names: texts }),
    run: ({ hotel_names }, { hotels }) => ({ result: named(hotels.hotel_list, hotel_names).map(show) }),
  });
}

function restaurantsBy(name: string, show: (restaurant: Restaurant) => JsonObject): Tool {
  return defineTool({
    name,
    parts: ["restaurants"],
    form: z.strictObject({ restaurant_names: texts }),
    run: ({ restaurant_names }, { restaurants }) => ({
      result: named(restaurants.restaurant_list, restaurant_names).map(show),
    }),
  });
}

function companiesBy(name: string, show: (company: Company) => JsonObject): Tool {
  return defineTool({
    name,
    parts: ["car_rental"],
    form: z.strictObject({ company_name: texts }),
    run: ({ company_name }, { car_rental }) => ({ result: named(car_rental.company_list, company_name).map(show) }),
  });
}

function namesIn(all: readonly { readonly name: string; readonly city: string }[], city: string): Json {
  return all.filter((one) => one.city === city).map(({ name }) => name);
}

function named<T extends { readonly name: string }>(all: readonly T[], names: readonly string[]): T[] {
  return names.flatMap((name) => all.filter((one) => one.name === name));
}
