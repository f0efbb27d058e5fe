import { z } from "zod";
import type { Json } from "../../src/contract/json.ts";

const text = z.string();
const texts = z.array(text);

/** Times are `YYYY-MM-DDTHH:MM:SS`. */
const event = z.strictObject({
  id_: text,
  title: text,
  description: text,
  start_time: text,
  end_time: text,
  location: text.nullable(),
  participants: texts,
  all_day: z.boolean(),
  status: z.enum(["confirmed", "canceled"]),
});
const email = z.strictObject({
  id_: text,
  sender: text,
  recipients: texts,
  cc: texts,
  bcc: texts,
  subject: text,
  body: text,
  status: z.enum(["sent", "received", "draft"]),
  read: z.boolean(),
  timestamp: text,
  /** The id of a file, or an event. */
  attachments: z.array(z.union([text, z.record(text, z.custom<Json>())])),
});
const file = z.strictObject({
  id_: text,
  filename: text,
  content: text,
  owner: text,
  last_modified: text,
  shared_with: z.record(text, text),
  size: z.number(),
});
const place = { name: text, city: text, address: text, rating: z.number(), reviews: texts };
const transaction = z.strictObject({
  id: z.number(),
  sender: text,
  recipient: text,
  amount: z.number(),
  subject: text,
  date: text,
  recurring: z.boolean(),
});
const message = z.strictObject({ sender: text, recipient: text, body: text });

const parts = z.strictObject({
  inbox: z.strictObject({
    account_email: text,
    emails: z.record(text, email),
    contact_list: z.array(z.strictObject({ email: text, name: text })),
    trash: z.record(text, email),
  }),
  calendar: z.strictObject({ current_day: text, account_email: text, events: z.record(text, event) }),
  cloud_drive: z.strictObject({ account_email: text, files: z.record(text, file) }),
  hotels: z.strictObject({
    hotel_list: z.array(z.strictObject({ ...place, price_min: z.number(), price_max: z.number() })),
  }),
  restaurants: z.strictObject({
    restaurant_list: z.array(
      z.strictObject({
        ...place,
        price_per_person: z.number(),
        operating_hours: text,
        contact_information: text,
        cuisine_type: text,
        dietary_restrictions: text,
      }),
    ),
  }),
  car_rental: z.strictObject({
    company_list: z.array(
      z.strictObject({
        ...place,
        price_per_day: z.number(),
        contact_information: text,
        car_types_available: texts,
        fuel_options: texts,
      }),
    ),
  }),
  flights: z.strictObject({
    flight_list: z.array(
      z.strictObject({
        airline: text,
        flight_number: text,
        departure_city: text,
        arrival_city: text,
        departure_time: text,
        arrival_time: text,
        price: z.number(),
        contact_information: text,
      }),
    ),
  }),
  user: z.strictObject({
    first_name: text,
    last_name: text,
    ID_number: text,
    email: text,
    phone_number: text,
    address: text,
    passport_number: text,
    bank_account_number: text,
    credit_card_number: text,
  }),
  reservation: z.strictObject({
    reservation_type: text.nullable(),
    title: text,
    start_time: text,
    end_time: text,
    contact_information: text,
  }),
  bank_account: z.strictObject({
    balance: z.number(),
    iban: text,
    transactions: z.array(transaction),
    scheduled_transactions: z.array(transaction),
  }),
  filesystem: z.strictObject({ files: z.record(text, text) }),
  user_account: z.strictObject({ first_name: text, last_name: text, street: text, city: text, password: text }),
  slack: z.strictObject({
    users: texts,
    channels: texts,
    user_channels: z.record(text, texts),
    user_inbox: z.record(text, z.array(message)),
    channel_inbox: z.record(text, z.array(message)),
  }),
  web: z.strictObject({ web_content: z.record(text, text), web_requests: texts }),
});

/** The form of an environment; each suite has some of the parts. */
export const environment = parts.partial();
/** Everything that an environment can be made of. */
export type Parts = z.infer<typeof parts>;
/** What the tools of a suite read and change; a value that nobody changes in place. */
export type Environment = z.infer<typeof environment>;
export type CalendarEvent = Parts["calendar"]["events"][string];
export type Email = Parts["inbox"]["emails"][string];
