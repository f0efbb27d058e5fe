/** The public API for a project's `hands.ts`, and for those who run the acting half themselves. */
export type { Applied, ApplyOptions, Hand, Hands, ObserveOptions } from "./act/hands.ts";
export { defineHands } from "./act/hands.ts";
export { implementEffect, through } from "./act/implement.ts";
export { keeper, keptSight } from "./act/keeping.ts";
export type { Channel } from "./act/notify/channel.ts";
export { mail, type Recipient } from "./act/notify/mail.ts";
export { webhook } from "./act/notify/webhook.ts";
export { refreshViews, type ViewRefresh } from "./act/refresh-views.ts";
export { type HttpRecordsOptions, httpObserved } from "./know/records/http/http-records.ts";
export { type PostgresRecordsOptions, postgresObserved } from "./know/records/postgres/postgres-records.ts";
export { createWorker, type Worker, type WorkerParts } from "./worker.ts";
