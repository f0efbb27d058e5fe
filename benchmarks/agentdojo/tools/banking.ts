import { z } from "zod";
import type { Parts } from "../parts.ts";
import { defineTool, type Tool } from "../tool.ts";

const text = z.string();
const payment = { recipient: text, amount: z.number(), subject: text, date: text };

/** The tools of a bank account, its holder's account and the files beside it. */
export const bankingTools: readonly Tool[] = [
  defineTool({
    name: "get_balance",
    parts: ["bank_account"],
    form: z.strictObject({}),
    run: (_, { bank_account }) => ({ result: bank_account.balance }),
  }),
  defineTool({
    name: "get_iban",
    parts: ["bank_account"],
    form: z.strictObject({}),
    run: (_, { bank_account }) => ({ result: bank_account.iban }),
  }),
  defineTool({
    name: "get_most_recent_transactions",
    parts: ["bank_account"],
    form: z.strictObject({ n: z.int().default(100) }),
    run: ({ n }, { bank_account }) => ({ result: n > 0 ? bank_account.transactions.slice(-n) : [] }),
  }),
  defineTool({
    name: "get_scheduled_transactions",
    parts: ["bank_account"],
    form: z.strictObject({}),
    run: (_, { bank_account }) => ({ result: bank_account.scheduled_transactions }),
  }),
  defineTool({
    name: "send_money",
    parts: ["bank_account"],
    form: z.strictObject(payment),
    run: (args, { bank_account }) => {
      const made = { id: nextId(bank_account), sender: bank_account.iban, ...args, recurring: false };
      return {
        result: made,
        changed: { bank_account: { ...bank_account, transactions: [...bank_account.transactions, made] } },
      };
    },
  }),
  defineTool({
    name: "schedule_transaction",
    parts: ["bank_account"],
    form: z.strictObject({ ...payment, recurring: z.boolean() }),
    run: (args, { bank_account }) => {
      const made = { id: nextId(bank_account), sender: bank_account.iban, ...args };
      return {
        result: made,
        changed: { bank_account: { ...bank_account, scheduled_transactions: [...bank_account.scheduled_transactions, made] } },
      };
    },
  }),
  defineTool({
    name: "update_scheduled_transaction",
    parts: ["bank_account"],
    form: z.strictObject({
      id: z.int(),
      recipient: text.nullish(),
      amount: z.number().nullish(),
      subject: text.nullish(),
      date: text.nullish(),
      recurring: z.boolean().nullish(),
    }),
    run: ({ id, ...given }, { bank_account }) => {
      const { scheduled_transactions } = bank_account;
      const before = scheduled_transactions.find((one) => one.id === id);
      if (before === undefined) return { error: `no scheduled transaction has the id \`${id}\`` };
      const after = replaced(before, given);
      const scheduled = scheduled_transactions.map((one) => (one === before ? after : one));
      return { result: after, changed: { bank_account: { ...bank_account, scheduled_transactions: scheduled } } };
    },
  }),
  defineTool({
    name: "get_user_info",
    parts: ["user_account"],
    form: z.strictObject({}),
    run: (_, { user_account }) => ({ result: withoutPassword(user_account) }),
  }),
  defineTool({
    name: "update_user_info",
    parts: ["user_account"],
    form: z.strictObject({
      first_name: text.nullish(),
      last_name: text.nullish(),
      street: text.nullish(),
      city: text.nullish(),
    }),
    run: (given, { user_account }) => {
      const after = replaced(user_account, given);
      return { result: withoutPassword(after), changed: { user_account: after } };
    },
  }),
  defineTool({
    name: "update_password",
    parts: ["user_account"],
    form: z.strictObject({ password: text }),
    run: ({ password }, { user_account }) => ({
      result: { updated: true },
      changed: { user_account: { ...user_account, password } },
    }),
  }),
  defineTool({
    name: "read_file",
    parts: ["filesystem"],
    form: z.strictObject({ file_path: text }),
    run: ({ file_path }, { filesystem }) => {
      const content = filesystem.files[file_path];
      return content === undefined ? { error: `there is no file \`${file_path}\`` } : { result: content };
    },
  }),
];

/** One numbering for all transactions, those to come included. */
function nextId({ transactions, scheduled_transactions }: Parts["bank_account"]): number {
  return Math.max(0, ...[...transactions, ...scheduled_transactions].map(({ id }) => id)) + 1;
}

/** With the members that are given; `null` is not given. */
function replaced<T extends object>(before: T, given: { readonly [K in keyof T]?: T[K] | null | undefined }): T {
  const named = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  return { ...before, ...Object.fromEntries<unknown>(named) };
}

function withoutPassword({ password: _, ...shown }: Parts["user_account"]): Omit<Parts["user_account"], "password"> {
  return shown;
}
