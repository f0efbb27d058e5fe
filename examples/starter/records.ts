import { defineSqlQuery } from "countersign";
import { z } from "zod";

const row = z.strictObject({ id: z.string(), title: z.string(), due_on: z.string(), version: z.int(), is_reserved: z.boolean() });
/** Who can write each field: `system` is the library's own, and what `third` parties wrote is never believed. */
const labels = { id: "system", title: "system", due_on: "system", version: "system", is_reserved: "system" } as const;
// `:tenant` and `:principal` are whoever asks. A model cannot name them.
const own = `select id, title, due_on::text as due_on, version, is_reserved
  from library.loan where tenant = :tenant and holder = :principal`;

/** What is read of the library, by both halves, each under a login of its own. */
export const records = [
  defineSqlQuery({ name: "loans.ofRequester", title: "Loans", key: "id", row, labels, params: z.strictObject({}), sql: own }),
  defineSqlQuery({
    name: "loans.byId",
    title: "Loans",
    key: "id",
    row,
    labels,
    params: z.strictObject({ loan: z.string() }),
    sql: `${own} and id = :loan`,
  }),
];
