/** The acting half's side of the writing tools: the sandbox carries out each once for a key, and only on the versions approved. */
import { defineHands, type Hands } from "../../src/act/hands.ts";
import { implementEffect, through } from "../../src/act/implement.ts";
import { recordSource } from "../../src/define/connector.ts";
import { observer, scopeRecords, writer } from "./connectors.ts";
import { toolsOf } from "./domains.ts";
import { argsOf, snapshotOf, type ToolEffect } from "./effects.ts";
import { noteRequest, putDocuments, readPaths, withWorld } from "./sandbox.ts";
import { bookOf, readScope } from "./scope.ts";

/** The hands of every effect; with `repeatsFault` the sandbox has the fault of the original, of which the contracts know nothing. */
export function tauHands(effects: readonly ToolEffect[], { repeatsFault }: { readonly repeatsFault: boolean }): Hands {
  return defineHands({
    records: [recordSource(observer, [scopeRecords()])],
    hands: effects.map(({ domain, tool: { name }, effect }) => {
      const tool = toolsOf(domain, { repeatsFault }).get(name);
      return implementEffect(effect, {
        apply: through(writer, (pool, params, { tenant: world, idempotencyKey: key, expectedVersion }) =>
          withWorld(pool, world, async (client) => {
            if (!(await noteRequest(client, { world, key }))) return { targetId: null };
            const args = argsOf(params);
            const { revision, documents } = await readScope(client, { world, asked: { tool: name, args }, customer: null });
            if (revision !== expectedVersion) throw new Error("another version than the one that was approved");
            const stored = await readPaths(client, { world, paths: Object.keys(documents) });
            const whole = Object.fromEntries(stored.map(({ path, body }) => [path, body]));
            const outcome = tool?.call(args, bookOf(whole));
            if (outcome?.kind !== "ok") throw new Error(outcome?.why ?? "no such tool");
            await putDocuments(client, { world, changes: outcome.changes });
            return { targetId: null };
          }),
        ),
        observe: through(observer, async (pool, params, { tenant: world }) =>
          snapshotOf(await readScope(pool, { world, asked: { tool: name, args: argsOf(params) }, customer: null })),
        ),
      });
    }),
  });
}
