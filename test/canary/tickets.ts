import { defineCapability, defineEffect, defineProject, effectDraft, from, type RecordQuery } from "countersign";
import { z } from "zod";

const ticket = z.strictObject({ name: z.string().max(20), note: z.string().max(200) });

/** What the canary house changes: a ticket of a shop, signed by a person or by policy. */
export const addTicket = defineEffect({
  name: "add_ticket",
  version: "1",
  owner: "desk",
  params: ticket,
  paramRules: {
    name: { class: "target", sources: ["principal"] },
    note: { class: "content", sources: ["principal"] },
  },
  sideEffect: "mutating",
  risk: "low",
  reversible: true,
  describe: ({ name }) => `Add the ticket ${name}`,
  key: ({ name }) => `ticket:${name}`,
  dedupe: "key",
  settleMs: 1_000,
  timeoutMs: 2_000,
  before: {
    query: "tickets.byName",
    params: ({ name }) => ({ name }),
    project: ([row]) => (row === undefined ? null : { note: String(row["note"]) }),
  },
  expect: { state: ({ note }) => ({ note }), mayChange: [], deadlineMs: 60_000 },
  environments: ["development", "demo"],
});

const input = z.strictObject({ name: z.string().max(20), text: z.string().max(200) });
const decision = z.strictObject({ note: z.string().max(200), confidence: z.number().min(0).max(1) });

/** The project of the canary house. */
export const project = defineProject({
  name: "canary",
  capabilities: [
    defineCapability<z.infer<typeof input>, z.infer<typeof decision>>({
      name: "tickets",
      version: "1",
      owner: "desk",
      description: "Add a ticket.",
      openTo: ["employee"],
      keepsInputs: true,
      input,
      decision,
      needs: ({ inputs }) => [
        { kind: "records", name: "ticket", query: "tickets.byName", params: { name: inputs.name }, maxAgeMs: 30_000 },
      ],
      deciding: {
        kind: "prompt",
        version: "1",
        model: { provider: "local", id: "gpt-4.1-2025-04-14", effort: "none", temperature: 0 },
        prompt: ({ inputs }) => ({ system: "You write notes.", messages: [{ role: "user", text: inputs.text }] }),
      },
      checks: [],
      slice: () => "plain",
      effects: [addTicket.erased],
      modelConfidence: (said) => said.confidence,
      label: () => "add",
      propose: ({ inputs }) => ({
        summary: `Add the ticket ${inputs.name}`,
        effects: [
          effectDraft(addTicket, {
            params: { name: inputs.name, note: inputs.text },
            sources: { "/name": from.principal("/name"), "/note": from.principal("/text") },
          }),
        ],
      }),
    }),
  ],
});

/** A way into the shop: an address with a user and a password in it. */
export interface ShopClient {
  readonly url: string;
}

/** Asks the shop as a careless author does: what went wrong is thrown with all that is known of it. */
export async function askShop({ url }: ShopClient, name: string, init: RequestInit = {}): Promise<readonly { note: string }[]> {
  const { username, password, origin } = new URL(url);
  const credential = `${username}:${decodeURIComponent(password)}`;
  const headers = { authorization: `Basic ${Buffer.from(credential).toString("base64")}` };
  const answer = await fetch(`${origin}/${name}`, { ...init, headers });
  if (answer.ok) return z.array(z.object({ name: z.string(), note: z.string() })).parse(await answer.json());
  const cause = Object.assign(new Error(`${url} said ${await answer.text()}`), { headers, url });
  throw Object.assign(new Error(`the shop at ${url} refused ${credential}`, { cause }), {
    credential,
    code: credential,
    name: credential,
  });
}

/** The query over tickets that both halves run, each under its own credential. */
export const ticketsByName: RecordQuery<ShopClient> = {
  name: "tickets.byName",
  key: (row) => String(row["name"]),
  labels: { name: "system", note: "own" },
  run: (client, params) => askShop(client, String(params["name"])).then((rows) => rows.map((row) => ({ ...row }))),
};
