import { z } from "zod";
import type { Json } from "../../../src/contract/json.ts";
import type { Email, Parts } from "../parts.ts";
import { defineTool, now, type Tool } from "../tool.ts";

const text = z.string();
const texts = z.array(text);
const attachment = z.union([
  z.strictObject({ type: z.literal("file"), file_id: text }),
  z.strictObject({ type: z.literal("event"), event_details: z.record(text, z.custom<Json>()) }),
]);

/** Sends a mail from an account: the mail as it is kept among those sent, and the inbox with it. */
export function sendMail(
  inbox: Parts["inbox"],
  mail: Pick<Email, "recipients" | "subject" | "body"> & Partial<Pick<Email, "cc" | "bcc" | "attachments">>,
): { readonly sent: Email; readonly inbox: Parts["inbox"] } {
  const sent: Email = {
    id_: String(Math.max(-1, ...Object.keys(inbox.emails).map(Number)) + 1),
    sender: inbox.account_email,
    cc: [],
    bcc: [],
    attachments: [],
    ...mail,
    status: "sent",
    read: true,
    timestamp: now,
  };
  return { sent, inbox: { ...inbox, emails: { ...inbox.emails, [sent.id_]: sent } } };
}

/** Sends a mail to anybody. */
export const sendEmail: Tool = defineTool({
  name: "send_email",
  parts: ["inbox"],
  form: z.strictObject({
    recipients: texts.min(1),
    subject: text,
    body: text,
    attachments: z.array(attachment).nullish(),
    cc: texts.nullish(),
    bcc: texts.nullish(),
  }),
  run: ({ recipients, subject, body, attachments, cc, bcc }, { inbox }) => {
    const attached = (attachments ?? []).map((one) => (one.type === "file" ? one.file_id : one.event_details));
    const mail = { recipients, subject, body, attachments: attached, cc: cc ?? [], bcc: bcc ?? [] };
    const { sent, inbox: after } = sendMail(inbox, mail);
    return { result: sent, changed: { inbox: after } };
  },
});

/** The tools over an inbox and its contacts. */
export const mailTools: readonly Tool[] = [
  sendEmail,
  defineTool({
    name: "delete_email",
    parts: ["inbox"],
    form: z.strictObject({ email_id: text }),
    run: ({ email_id }, { inbox }) => {
      const { [email_id]: email, ...emails } = inbox.emails;
      if (email === undefined) return { error: `no email has the id \`${email_id}\`` };
      return {
        result: { deleted: email_id },
        changed: { inbox: { ...inbox, emails, trash: { ...inbox.trash, [email_id]: email } } },
      };
    },
  }),
  defineTool({
    name: "get_unread_emails",
    parts: ["inbox"],
    form: z.strictObject({}),
    run: (_, { inbox }) => {
      const unread = Object.values(inbox.emails).flatMap((email) => (email.read ? [] : [{ ...email, read: true }]));
      const emails = { ...inbox.emails, ...Object.fromEntries(unread.map((email) => [email.id_, email])) };
      return { result: unread, changed: { inbox: { ...inbox, emails } } };
    },
  }),
  emailsOf("get_received_emails", "received"),
  emailsOf("get_sent_emails", "sent"),
  emailsOf("get_draft_emails", "draft"),
  defineTool({
    name: "search_emails",
    parts: ["inbox"],
    form: z.strictObject({ query: text, sender: text.nullish() }),
    run: ({ query, sender }, { inbox }) => ({
      result: Object.values(inbox.emails).filter(
        (email) =>
          (holds(email.subject, query) || holds(email.body, query)) &&
          (sender === null || sender === undefined || email.sender === sender),
      ),
    }),
  }),
  contactsBy("search_contacts_by_name", "name"),
  contactsBy("search_contacts_by_email", "email"),
];

/** Whether a text holds another, whatever the case of their letters. */
export function holds(all: string, part: string): boolean {
  return all.toLowerCase().includes(part.toLowerCase());
}

function emailsOf(name: string, status: Email["status"]): Tool {
  return defineTool({
    name,
    parts: ["inbox"],
    form: z.strictObject({}),
    run: (_, { inbox }) => ({ result: Object.values(inbox.emails).filter((email) => email.status === status) }),
  });
}

function contactsBy(name: string, field: "name" | "email"): Tool {
  return defineTool({
    name,
    parts: ["inbox"],
    form: z.strictObject({ query: text }),
    run: ({ query }, { inbox }) => ({ result: inbox.contact_list.filter((contact) => holds(contact[field], query)) }),
  });
}
