import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Snapshot } from "../contract/effect.ts";
import { defineConnector } from "../define/connector.ts";
import { defineEffect } from "../define/effect.ts";
import { checkHands } from "./check-hands.ts";
import { implementEffect, through } from "./implement.ts";

interface Client {
  readonly add: (name: string) => Promise<string>;
  readonly read: (name: string) => Promise<Snapshot>;
}
const client: Client = { add: async (name) => `id of ${name}`, read: async (name) => ({ name }) };
const opening = { open: async () => client, close: async () => {} };
const writer = defineConnector({ name: "writer", side: "writes", secret: "WRITE", ...opening });
const observer = defineConnector({ name: "observer", side: "observes", secret: "OBSERVE", ...opening });
const reader = defineConnector({ name: "reader", side: "reads", secret: "READ", ...opening });

const add = defineEffect({
  name: "add",
  version: "1",
  owner: "test",
  params: z.strictObject({ name: z.string() }),
  paramRules: { name: { class: "target", sources: ["principal"] } },
  sideEffect: "mutating",
  risk: "low",
  reversible: true,
  describe: ({ name }) => `Add ${name}`,
  key: ({ name }) => `add:${name}`,
  dedupe: "key",
  settleMs: 0,
  before: { query: "things", params: ({ name }) => ({ name }), project: (rows) => rows[0] ?? null },
  expect: { state: ({ name }) => ({ name }), mayChange: [], deadlineMs: 1000 },
});

const apply = through(writer, async (to, params: { name: string }) => ({ targetId: await to.add(params.name) }));
const observe = through(observer, async (from, params: { name: string }) => from.read(params.name));

const read = through(reader, async () => null);
const readByWriter = through(writer, async () => null);
const writtenByObserver = through(observer, async () => ({ targetId: null }));
const otherParams = through(observer, async (_from, _params: { other: number }) => null);

describe("hands that do not fit their effect", () => {
  // The compiler refuses each: without that, `@ts-expect-error` is an error itself. Who has no compiler is refused at the start.
  it.each([
    // @ts-expect-error an effect without `observe` has no hands
    ["without `observe`", () => implementEffect(add, { apply })],
    // @ts-expect-error what writes cannot observe
    ["that observe through what writes", () => implementEffect(add, { apply, observe: readByWriter })],
    // @ts-expect-error what observes cannot write
    ["that write through what observes", () => implementEffect(add, { apply: writtenByObserver, observe })],
    // @ts-expect-error the deciding half's connector is of no use here
    ["that observe through what the deciding half reads with", () => implementEffect(add, { apply, observe: read })],
  ])("%s are refused at the start", (_what, make) => {
    const effects = [add.erased];
    expect(() => checkHands({ project: { effects }, hands: { records: [], hands: [make()] } })).toThrow(
      expect.objectContaining({ code: "definition_invalid", message: expect.stringMatching(/side|both hands/) }),
    );
  });

  it("because they take other params are refused by the compiler alone", () => {
    // @ts-expect-error the params are those of the effect
    expect(implementEffect(add, { apply, observe: otherParams }).effect).toBe(add.erased);
  });
});

describe("implementEffect", () => {
  it("infers client, params and options from the connector and the effect", async () => {
    const hand = implementEffect(add, {
      apply: through(writer, async (to, { name }, { idempotencyKey }) => ({
        targetId: `${await to.add(name)} ${idempotencyKey}`,
      })),
      observe: through(observer, async (from, { name }) => from.read(name)),
    });
    const clients = { of: async <C>() => client as C, close: async () => {} };
    const run = await hand.apply.bind(clients);
    const signal = new AbortController().signal;
    const applied = await run({ name: "x" }, { tenant: "acme", idempotencyKey: "k", signal, fence: 1, expectedVersion: null });
    expect(applied).toEqual({ targetId: "id of x k" });
    expect(await (await hand.observe.bind(clients))({ name: "x" }, { tenant: "acme" })).toEqual({ name: "x" });
  });
});
