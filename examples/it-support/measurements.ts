import { defineSqlQuery, type Envelope } from "countersign";
import { z } from "zod";

/** What a person may see is part of each query: their own devices, and for an IT lead everybody's. */
const seesOwn = "(d.holder = :principal or :sees_all)";
const scope = { sees_all: ({ principal }: Envelope) => principal.roles.includes("it-lead") };

/** The last measurement of a device. */
const diagnosticsOfDevice = defineSqlQuery({
  name: "diagnostics.ofDevice",
  title: "Diagnostics",
  key: "device",
  params: z.strictObject({ device: z.string() }),
  row: z.strictObject({
    device: z.string(),
    measured_on: z.string(),
    disk_free_percent: z.int(),
    memory_used_percent: z.int(),
    temperature_c: z.int(),
    is_throttled: z.boolean(),
    battery_health_percent: z.int(),
  }),
  labels: {
    ...({ device: "system", measured_on: "system", disk_free_percent: "system", memory_used_percent: "system" } as const),
    ...({ temperature_c: "system", is_throttled: "system", battery_health_percent: "system" } as const),
  },
  scope,
  sql: `select m.device, m.measured_on::text as measured_on, m.disk_free_percent, m.memory_used_percent, m.temperature_c, m.is_throttled,
      m.battery_health_percent
    from helpdesk.diagnostics m join helpdesk.device d on d.tenant = m.tenant and d.id = m.device
    where m.tenant = :tenant and ${seesOwn} and m.device = :device`,
});

/** What was done to a device in the last months, the latest first. The note was written by whoever did it. */
const historyOfDevice = defineSqlQuery({
  name: "history.ofDevice",
  title: "Device history",
  key: "id",
  params: z.strictObject({ device: z.string(), months: z.int() }),
  row: z.strictObject({ id: z.string(), device: z.string(), happened_on: z.string(), kind: z.string(), note: z.string() }),
  labels: { id: "system", device: "system", happened_on: "system", kind: "system", note: "third" },
  scope,
  sql: `select e.id, e.device, e.happened_on::text as happened_on, e.kind, e.note
    from helpdesk.device_event e join helpdesk.device d on d.tenant = e.tenant and d.id = e.device
    where e.tenant = :tenant and ${seesOwn} and e.device = :device
      and e.happened_on > current_date - make_interval(months => :months::integer)
    order by e.happened_on desc, e.id limit 20`,
});

/** What is measured of devices and done to them: only read for answers, so no effect of the project needs it. */
export const measurements = [diagnosticsOfDevice, historyOfDevice];
