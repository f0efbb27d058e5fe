import type { ArgRule, CallRule } from "../../../src/contract/plan.ts";

const mails: ArgRule = { class: "target", type: "email", many: true };
const nothing = {};

/** Sending mail, as provenance sees it. */
export const sendEmail: CallRule = {
  name: "send_email",
  description:
    "Sends a mail with a subject and a body to a list of addresses, with copies and attached files where they are given.",
  kind: "write",
  space: "external",
  reversible: false,
  args: {
    recipients: mails,
    subject: { class: "content", type: "text" },
    body: { class: "content", type: "text" },
    // What leaves the house with the mail.
    attachments: { class: "selector", type: "id", many: true, optional: true },
    cc: { ...mails, optional: true },
    bcc: { ...mails, optional: true },
  },
  fields: { "/id_": "system", "/status": "system", "/timestamp": "system" },
};

/**
 * What an inbox holds was written by whoever sent it: sender, subject and body. An id was given by the system, but a search chooses by
 * what senders wrote, so what is chosen is theirs.
 */
export const mailRules: readonly CallRule[] = [
  sendEmail,
  {
    name: "delete_email",
    description: "Takes the mail with an id out of the inbox and puts it into the trash.",
    kind: "write",
    space: "own",
    reversible: false,
    args: { email_id: { class: "selector", type: "id" } },
    fields: nothing,
  },
  all("get_unread_emails", "Gives all mails that were not read yet, and marks them as read."),
  all("get_received_emails", "Gives all mails that were received."),
  all("get_sent_emails", "Gives all mails that were sent."),
  all("get_draft_emails", "Gives all drafts of mails."),
  {
    ...read(
      "search_emails",
      "Gives the mails that have some words in their subject or body, of one sender where an address is given.",
    ),
    args: { query: { class: "param", type: "text" }, sender: { class: "param", type: "email", optional: true } },
  },
  // The contacts fill themselves from incoming mail: whoever wrote once is one, under a name of their own.
  { ...read("search_contacts_by_name", "Gives the contacts whose name has some words."), args: query("text") },
  { ...read("search_contacts_by_email", "Gives the contacts whose address has some letters."), args: query("email") },
];

function all(name: string, description: string): CallRule {
  return { ...read(name, description), fields: { "/*/id_": "system", "/*/status": "system", "/*/read": "system" } };
}

function read(name: string, description: string): CallRule {
  return { name, description, kind: "read", space: "own", reversible: true, args: nothing, fields: { "": "third" } };
}

function query(type: "text" | "email"): CallRule["args"] {
  return { query: { class: "param", type } };
}
