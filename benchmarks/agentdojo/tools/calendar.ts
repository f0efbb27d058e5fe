import { z } from "zod";
import type { CalendarEvent, Parts } from "../parts.ts";
import { type Answer, defineTool, type Tool } from "../tool.ts";
import { holds, sendMail } from "./mail.ts";
import { minutesAfter, momentOf } from "./moment.ts";

const text = z.string();
const texts = z.array(text);

/** Reading the events of a day. */
export const dayEvents: Tool = defineTool({
  name: "get_day_calendar_events",
  parts: ["calendar"],
  form: z.strictObject({ day: text }),
  run: ({ day }, { calendar }) => ({ result: shown(calendar).filter((one) => isOn(one, day)) }),
});

/** Looking for events by words of the title or the description, and by day. */
export const searchEvents: Tool = defineTool({
  name: "search_calendar_events",
  parts: ["calendar"],
  form: z.strictObject({ query: text, date: text.nullish() }),
  run: ({ query, date }, { calendar }) => ({
    result: shown(calendar).filter(
      (one) =>
        (holds(one.title, query) || holds(one.description, query)) && (date === null || date === undefined || isOn(one, date)),
    ),
  }),
});

/** A new event; the participants are invited by mail. */
export const createEvent: Tool = defineTool({
  name: "create_calendar_event",
  parts: ["calendar", "inbox"],
  form: z.strictObject({
    title: text,
    start_time: text,
    end_time: text,
    description: text.default(""),
    participants: texts.nullish(),
    location: text.nullish(),
  }),
  run: ({ title, start_time, end_time, description, participants, location }, { calendar, inbox }) => {
    const [start, end] = [momentOf(start_time), momentOf(end_time)];
    if (start === null || end === null) return { error: "a time is `YYYY-MM-DD HH:MM`" };
    const owner = calendar.account_email;
    const created: CalendarEvent = {
      id_: String(Math.max(-1, ...Object.keys(calendar.events).map(Number)) + 1),
      title,
      description,
      start_time: start,
      end_time: end,
      location: location ?? null,
      participants: [...new Set([owner, ...(participants ?? [])])],
      all_day: false,
      status: "confirmed",
    };
    const invitation = { recipients: [...(participants ?? []), owner], subject: `Invitation: ${title}`, body: description };
    return told({ calendar, inbox, event: created, mail: invitation });
  },
});

/** Marks an event as canceled; the participants are told by mail. */
export const cancelEvent: Tool = defineTool({
  name: "cancel_calendar_event",
  parts: ["calendar", "inbox"],
  form: z.strictObject({ event_id: text }),
  run: ({ event_id }, { calendar, inbox }) => {
    const event = calendar.events[event_id];
    if (event === undefined) return { error: `no event has the id \`${event_id}\`` };
    const mail = {
      recipients: event.participants,
      subject: `Canceled: '${event.title}'`,
      body: "The event has been canceled.",
    };
    return told({ calendar, inbox, event: { ...event, status: "canceled" }, mail });
  },
});

/** The tools over a calendar that only one suite has. */
export const calendarTools: readonly Tool[] = [
  defineTool({
    name: "get_current_day",
    parts: ["calendar"],
    form: z.strictObject({}),
    run: (_, { calendar }) => ({ result: calendar.current_day }),
  }),
  defineTool({
    name: "reschedule_calendar_event",
    parts: ["calendar", "inbox"],
    form: z.strictObject({ event_id: text, new_start_time: text, new_end_time: text.nullish() }),
    run: ({ event_id, new_start_time, new_end_time }, { calendar, inbox }) => {
      const event = calendar.events[event_id];
      if (event === undefined) return { error: `no event has the id \`${event_id}\`` };
      const start = momentOf(new_start_time);
      const end =
        start === null || new_end_time === null || new_end_time === undefined
          ? start && minutesAfter(start, minutesOf(event))
          : momentOf(new_end_time);
      if (start === null || end === null) return { error: "a time is `YYYY-MM-DD HH:MM`" };
      const mail = {
        recipients: event.participants,
        // The original sends its placeholder; states are compared with its own.
        subject: "Rescheduled: '{event.title}'",
        body: `The event has been rescheduled. It will start on  ${written(start)} and end on ${written(end)}.`,
      };
      return told({ calendar, inbox, event: { ...event, start_time: start, end_time: end }, mail });
    },
  }),
  defineTool({
    name: "add_calendar_event_participants",
    parts: ["calendar"],
    form: z.strictObject({ event_id: text, participants: texts }),
    run: ({ event_id, participants }, { calendar }) => {
      const event = calendar.events[event_id];
      if (event === undefined) return { error: `no event has the id \`${event_id}\`` };
      const after = { ...event, participants: [...new Set([...event.participants, ...participants])] };
      return { result: after, changed: { calendar: withEvent(calendar, after) } };
    },
  }),
];

/** Keeps an event and mails it to whom it concerns. */
function told({
  calendar,
  inbox,
  event,
  mail,
}: Pick<Parts, "calendar" | "inbox"> & {
  event: CalendarEvent;
  mail: { recipients: string[]; subject: string; body: string };
}): Answer {
  const sent = sendMail(inbox, { ...mail, attachments: [event] });
  return { result: event, changed: { calendar: withEvent(calendar, event), inbox: sent.inbox } };
}

function withEvent(calendar: Parts["calendar"], event: CalendarEvent): Parts["calendar"] {
  return { ...calendar, events: { ...calendar.events, [event.id_]: event } };
}

/** What is canceled no longer appears in the calendar. */
function shown(calendar: Parts["calendar"]): CalendarEvent[] {
  return Object.values(calendar.events).filter(({ status }) => status !== "canceled");
}

function isOn({ start_time, end_time }: CalendarEvent, day: string): boolean {
  return start_time.slice(0, 10) <= day && day <= end_time.slice(0, 10);
}

function minutesOf({ start_time, end_time }: CalendarEvent): number {
  return (Date.parse(`${end_time}Z`) - Date.parse(`${start_time}Z`)) / 60_000;
}

function written(moment: string): string {
  return moment.replace("T", " at ");
}
