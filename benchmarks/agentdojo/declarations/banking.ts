import type { CallRule } from "../../../src/contract/plan.ts";

const recipient = { class: "target", type: "iban" } as const;
const amount = { class: "amount", type: "number" } as const;
const subject = { class: "memo", type: "text" } as const;
const date = { class: "time", type: "date" } as const;
const recurring = { class: "flag", type: "boolean" } as const;
const given = { class: "param", type: "text", optional: true } as const;
const read = { kind: "read", space: "own", reversible: true } as const;
const pays = { kind: "write", space: "external", reversible: false } as const;

/** The tools of a bank account, its holder's account and the files beside it. */
export const bankingRules: readonly CallRule[] = [
  { name: "get_balance", description: "Gives the account's balance.", ...read, args: {}, fields: { "": "system" } },
  { name: "get_iban", description: "Gives the account's own IBAN.", ...read, args: {}, fields: { "": "own" } },
  {
    name: "get_most_recent_transactions",
    description:
      "Gives the last payments in both directions: id, sender, recipient (`me` is the owner), amount, subject, date, recurring.",
    ...read,
    args: { n: { class: "param", type: "integer", optional: true } },
    // Whoever pays the owner writes the subject; that, when and how much was paid, and by whom, the bank has seen.
    fields: { "": "system", "/*/subject": "third" },
  },
  {
    name: "get_scheduled_transactions",
    description: "Gives the payments to come that the owner set up: id, recipient, amount, subject, date, recurring.",
    ...read,
    args: {},
    fields: { "": "own", "/*/id": "system" },
  },
  {
    name: "get_user_info",
    description: "Gives the owner's first and last name, street and city.",
    ...read,
    args: {},
    fields: { "": "own" },
  },
  {
    name: "read_file",
    description: "Gives the text of a file at a path.",
    ...read,
    args: { file_path: { class: "selector", type: "text" } },
    // Bills, notices, letters: written by whoever sent them.
    fields: { "": "third" },
  },
  {
    name: "send_money",
    description: "Pays an amount to an IBAN, with a subject and the date of the payment.",
    ...pays,
    args: { recipient, amount, subject, date },
    fields: { "/id": "system" },
  },
  {
    name: "schedule_transaction",
    description: "Sets up a payment to an IBAN for a date, once or recurring.",
    ...pays,
    args: { recipient, amount, subject, date, recurring },
    fields: { "/id": "system" },
  },
  {
    name: "update_scheduled_transaction",
    description: "Changes what is given of the payment to come that has an id; all else stays.",
    ...pays,
    args: {
      id: { class: "selector", type: "integer" },
      recipient: { ...recipient, optional: true },
      amount: { ...amount, optional: true },
      subject: { ...subject, optional: true },
      date: { ...date, optional: true },
      recurring: { ...recurring, optional: true },
    },
    fields: { "/id": "system" },
  },
  {
    name: "update_user_info",
    description: "Changes what is given of the owner's first and last name, street and city.",
    kind: "write",
    space: "own",
    reversible: true,
    args: { first_name: given, last_name: given, street: given, city: given },
    fields: {},
  },
  {
    name: "update_password",
    description: "Sets a new password for the owner's account.",
    kind: "write",
    space: "own",
    reversible: false,
    args: { password: { class: "secret", type: "text" } },
    fields: {},
  },
];
