import { randomUUID } from "node:crypto";
import { consolePaths } from "../../src/server/desk/console-paths.ts";
import type { DeskHouse } from "./desk-house.ts";

/** One request to a route, made anew for each caller. */
export interface Sample {
  readonly path: string;
  /** Of the API as JSON; of the pages as the fields of a form, beside its token. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What whoever is let through gets. Where it is a refusal, the door is passed and the thing at hand says no. */
  readonly through: number;
}

/** A request to every route of both doors, by door, method and path. A route without one has no test, and fails. */
export function samplesOf(
  house: DeskHouse,
  { asker, approver }: { asker: string; approver: string },
): Readonly<Record<string, () => Promise<Sample>>> {
  const ask = async (path: string, body?: unknown, key = asker) => {
    const response = await fetch(`${house.url}/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string; entryId?: string; effects?: { operationId: string }[] }; // the desk's own form
  };
  const waiting = async () =>
    (await ask("/decisions", { capability: "keep_notes", inputs: { text: `n ${randomUUID()}`.slice(0, 20) } })).id;
  const wording = async () => (await ask("/decisions", { capability: "word_note", inputs: { text: "a word" } })).id;
  const signed = async () => {
    const id = await waiting();
    await ask(`/reviews/${id}/approve`, {}, approver);
    return id;
  };
  const left = async () => {
    const id = await signed();
    await house.acting.begin(id);
    return id;
  };
  const operation = async () => {
    const [effect] = (await ask(`/decisions/${await left()}`, undefined, approver)).effects ?? [];
    return effect?.operationId ?? "";
  };
  const entry = async () => (await ask(`/decisions/${await waiting()}`)).entryId ?? "";
  const finding = { outcome: "happened", reason: "seen", evidence: "the drawer" };
  const on =
    (id: () => Promise<string>, path: string, body?: Sample["body"], through = 200) =>
    async (): Promise<Sample> => {
      const at = { path: path.replace(":id", await id()), through };
      return body === undefined ? at : { ...at, body };
    };
  const plain =
    (path: string, through = 200, body?: Sample["body"]) =>
    async (): Promise<Sample> =>
      body === undefined ? { path, through } : { path, through, body };
  const decide = { capability: "keep_notes", inputs: { text: "a note" } };
  const assets = house.deskDoor.rows
    .filter(({ path }) => path.startsWith("/assets/"))
    .map(({ path }) => [`desk GET ${path}`, plain(path)] as const);
  return {
    ...Object.fromEntries(assets),
    "desk GET /healthz": plain("/healthz"),
    "desk POST /v1/decisions": plain("/v1/decisions", 201, decide),
    "desk POST /v1/ask": plain("/v1/ask", 201, { text: "a note please" }),
    "desk GET /v1/decisions": plain("/v1/decisions"),
    "desk GET /v1/decisions/:id": on(waiting, "/v1/decisions/:id"),
    "desk GET /v1/decisions/:id/story": on(waiting, "/v1/decisions/:id/story"),
    "desk GET /v1/decisions/:id/explanation": on(waiting, "/v1/decisions/:id/explanation"),
    "desk GET /v1/reviews": plain("/v1/reviews"),
    "desk POST /v1/reviews/:id/approve": on(waiting, "/v1/reviews/:id/approve", {}),
    "desk POST /v1/reviews/:id/reject": on(waiting, "/v1/reviews/:id/reject", { reason: "no" }),
    "desk POST /v1/reviews/:id/withdraw": on(signed, "/v1/reviews/:id/withdraw", {}),
    "desk POST /v1/reviews/:id/edit": on(wording, "/v1/reviews/:id/edit", { decision: { note: "a better word" } }, 201),
    "desk POST /v1/decisions/:id/resolve": on(left, "/v1/decisions/:id/resolve", { effectIndex: 0, ...finding }),
    "desk POST /v1/reviews/:id/take": on(waiting, "/v1/reviews/:id/take", {}),
    "desk POST /v1/reviews/:id/release": on(waiting, "/v1/reviews/:id/release", {}),
    "desk GET /v1/reviews/health": plain("/v1/reviews/health?days=7"),
    "desk GET /v1/operations": plain("/v1/operations?state=escalated,complete&effect=keep_note&capability=keep_notes"),
    "desk GET /v1/operations/summary": plain("/v1/operations/summary"),
    "desk GET /v1/operations/:id": on(operation, "/v1/operations/:id"),
    "desk GET /v1/ledger": plain("/v1/ledger"),
    "desk GET /v1/ledger/entries": plain("/v1/ledger/entries?kind=decided&writer=deciding"),
    "desk GET /v1/ledger/entries/:id": on(entry, "/v1/ledger/entries/:id"),
    // Nobody signs checkpoints in the house of these tests.
    "desk GET /v1/ledger/checkpoint": plain("/v1/ledger/checkpoint", 404),
    "desk GET /v1/ledger/proof": plain(`/v1/ledger/proof?entry=${randomUUID()}`, 404),
    "desk GET /v1/evals": plain("/v1/evals?capability=keep_notes"),
    "desk GET /v1/evals/:id": plain(`/v1/evals/${randomUUID()}`, 404),
    "desk GET /v1/models": plain("/v1/models"),
    "desk GET /v1/policies": plain("/v1/policies"),
    "desk POST /v1/policies/explain": plain("/v1/policies/explain", 200, {
      principal: { id: "ada", roles: ["approver"] },
      action: "seeReviews",
    }),
    "desk GET /v1/knowledge/sources": plain("/v1/knowledge/sources"),
    "desk GET /v1/routing": plain("/v1/routing?from=2026-01-01&before=2026-02-01&capability=keep_notes"),
    "desk GET /v1/halts": plain("/v1/halts"),
    "desk GET /v1/spend": plain("/v1/spend?by=outcome"),
    "desk GET /v1/autonomy": plain("/v1/autonomy"),
    "desk GET /v1/autonomy/simulation": plain("/v1/autonomy/simulation?capability=keep_notes&slice=default&thresholdPpm=900000"),
    "desk GET /v1/autonomy/calibration": plain("/v1/autonomy/calibration?capability=keep_notes", 409),
    "desk GET /v1/budgets": plain("/v1/budgets"),
    "desk POST /v1/halts": plain("/v1/halts", 200, { scope: "effect", name: "mail_note", stop: true, reason: "a try" }),
    // The project of these tests has no case, so whoever is let through finds none.
    "desk POST /v1/cases": plain("/v1/cases", 404, { case: "none", input: {} }),
    "desk GET /v1/cases": plain("/v1/cases"),
    "desk GET /v1/cases/:id": plain(`/v1/cases/${randomUUID()}`, 404),
    "desk POST /v1/cases/:id/events": plain(`/v1/cases/${randomUUID()}/events`, 404, { event: "any" }),
    "desk POST /v1/slices": plain("/v1/slices", 201, { capability: "keep_notes", slice: "default", thresholdPpm: 900_000 }),
    "desk POST /v1/knowledge": plain("/v1/knowledge", 200, { query: "a note" }),
    "desk POST /v1/facts": plain("/v1/facts", 200, { subject: "note:1", at: 1 }),
    "desk POST /v1/redundancy": plain("/v1/redundancy", 200, { texts: [{ id: "a", text: "a b c d e f" }] }),
    // Whoever is let through is told that MCP wants an `Accept` of its own.
    "desk POST /mcp": plain("/mcp", 406, { jsonrpc: "2.0", id: 1, method: "ping" }),
    "desk GET /v1/openapi.json": plain("/v1/openapi.json"),
    "desk GET /reference": plain("/reference"),
    "desk GET /first-owner": plain("/first-owner"),
    "desk POST /first-owner": plain("/first-owner", 403, { word: "x", tenant: "main", tenantName: "x", id: "owner", name: "x" }),
    "desk GET /sign-in": plain("/sign-in"),
    "desk POST /sign-in": plain("/sign-in", 401, { key: "a-key-of-nobody" }),
    "desk POST /sign-out": plain("/sign-out", 303, {}),
    ...Object.fromEntries(consolePaths.map((path) => [`desk GET ${path}`, plain(path.replace(":id", randomUUID()))])),
    "desk GET /console/:file": plain("/console/none.js", 404),
    "desk GET /v1/session": plain("/v1/session"),
    "desk POST /v1/session/end": plain("/v1/session/end", 200, {}),
    "desk GET /v1/events": plain("/v1/events"),
    "desk GET /v1/reviews/count": plain("/v1/reviews/count"),
    "desk GET /v1/reviews/:id/evidence": on(waiting, "/v1/reviews/:id/evidence"),
    "decider GET /healthz": plain("/healthz"),
    "decider POST /v1/knowledge": plain("/v1/knowledge", 200, { query: "a note" }),
    "decider POST /v1/redundancy": plain("/v1/redundancy", 200, { texts: [{ id: "a", text: "a b c d e f" }] }),
    "decider POST /v1/facts": plain("/v1/facts", 200, { subject: "note:1", at: 1 }),
    "decider POST /v1/decisions": plain("/v1/decisions", 201, decide),
    "decider POST /v1/decisions/:id/edit": on(wording, "/v1/decisions/:id/edit", { decision: { note: "a better word" } }, 201),
    "decider POST /v1/ask": plain("/v1/ask", 201, { text: "a note please" }),
    "decider GET /v1/decisions/:id": on(waiting, "/v1/decisions/:id"),
    "decider GET /v1/decisions/:id/story": on(waiting, "/v1/decisions/:id/story"),
  };
}
