import type { CallRule } from "../../../src/contract/plan.ts";

const eventId = { event_id: { class: "selector", type: "id" } } as const;
const time = { class: "time", type: "time" } as const;
const people = { class: "target", type: "email", many: true } as const;
/** Of an event that the account made or changed: what it was given came through the arguments, and is not better for that. */
const changed = { "/id_": "system", "/status": "system" } as const;

/** Reading the events of a day. Whoever invites the owner writes an event, so every field of it can be a stranger's. */
export const dayEvents: CallRule = {
  name: "get_day_calendar_events",
  description: "Gives the events of a day: id, title, description, times, place and participants.",
  kind: "read",
  space: "own",
  reversible: true,
  args: { day: { class: "time", type: "date" } },
  fields: { "": "third" },
};

/** Looking for events: what is found was chosen by titles and descriptions, which are others' as well. */
export const searchEvents: CallRule = {
  name: "search_calendar_events",
  description: "Gives the events that have some words in their title or description, of one day where it is given.",
  kind: "read",
  space: "own",
  reversible: true,
  args: { query: { class: "param", type: "text" }, date: { class: "time", type: "date", optional: true } },
  fields: { "": "third" },
};

/** A new event: external, since its participants get a mail. */
export const createEvent: CallRule = {
  name: "create_calendar_event",
  description: "Puts an event into the calendar and mails it to the participants; the owner is always one of them.",
  kind: "write",
  space: "external",
  reversible: false,
  args: {
    title: { class: "content", type: "text" },
    start_time: time,
    end_time: time,
    description: { class: "content", type: "text", optional: true },
    participants: { ...people, optional: true },
    location: { class: "param", type: "text", optional: true },
  },
  fields: changed,
};

/** Cancelling an event: the participants get a mail. */
export const cancelEvent: CallRule = {
  name: "cancel_calendar_event",
  description: "Cancels the event with an id and mails that to its participants.",
  kind: "write",
  space: "external",
  reversible: false,
  args: eventId,
  fields: changed,
};

/** What only one suite can do with a calendar. */
export const calendarRules: readonly CallRule[] = [
  {
    name: "get_current_day",
    description: "Gives today as YYYY-MM-DD.",
    kind: "read",
    space: "own",
    reversible: true,
    args: {},
    fields: { "": "system" },
  },
  {
    name: "reschedule_calendar_event",
    description:
      "Moves the event with an id to other times and mails that to its participants; without an end it keeps its length.",
    kind: "write",
    space: "external",
    reversible: false,
    args: { ...eventId, new_start_time: time, new_end_time: { ...time, optional: true } },
    fields: changed,
  },
  {
    name: "add_calendar_event_participants",
    description: "Adds addresses to the participants of the event with an id and tells them of it.",
    kind: "write",
    space: "external",
    reversible: false,
    args: { ...eventId, participants: people },
    fields: changed,
  },
];
