// sql-query.ts
import { defineSqlQuery } from "../../../src/define/sql-query.ts";
import { z } from "zod";
export const told: [unknown, unknown][] = [];
defineSqlQuery({
  name: "devices.ofPerson", title: "Device register", key: "id", labels: { id: "system", model: "system" },
  params: z.strictObject({ person: z.string() }), row: z.strictObject({ id: z.string(), model: z.string() }),
  scope: { sees_all: ({ principal }) => principal.roles.includes("it-lead") },
  sql: `select id, model from device
    where tenant = :tenant and (holder = :principal or :sees_all) and holder = :person order by id`,
});

export type Shown = typeof defineSqlQuery;
