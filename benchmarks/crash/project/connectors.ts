/** Ways to the target over HTTP. A call that fails is never sent again here: what became of it is the worker's question. */
import { Agent, request } from "node:http";
import type { RecordQuery } from "../../../src/contract/connector.ts";
import type { JsonObject } from "../../../src/contract/json.ts";
import type { TargetKind } from "../plan.ts";
import { thingQuery } from "./effects.ts";

/** A change as it is sent to the target. */
export interface SentChange {
  readonly kind: TargetKind | "naive";
  readonly thing: string;
  readonly value: string;
  readonly key: string;
  readonly fence: number;
  readonly expectedVersion: string | null;
}

/** The target as one credential sees it. */
export interface TargetClient {
  readonly put: (change: SentChange, signal?: AbortSignal) => Promise<void>;
  /** Tells the target a fence: from then on it refuses older ones. */
  readonly raise: (of: Pick<SentChange, "kind" | "thing" | "fence">, signal?: AbortSignal) => Promise<void>;
  readonly read: (of: { readonly kind: string; readonly thing: string }) => Promise<JsonObject | null>;
  readonly close: () => void;
}

/** Opens the target by its secret: an address with the credential in it, such as `http://writer:key@127.0.0.1:1`. */
export function openTarget(secret: string): TargetClient {
  const url = new URL(secret);
  const agent = new Agent({ keepAlive: true });
  const call = (path: string, { body, signal }: { body: string; signal?: AbortSignal | undefined }): Promise<string> =>
    new Promise((resolve, reject) => {
      const authorization = `${url.username}:${url.password}`;
      const headers = { authorization, "x-process": String(process.pid), "x-sent-at": String(Date.now()) };
      const options = { host: url.hostname, port: url.port, path, method: "POST", headers, agent };
      const sending = request({ ...options, ...(signal === undefined ? {} : { signal }) }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        answer.once("error", reject);
        answer.once("end", () => {
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`the target answered ${answer.statusCode}`));
        });
      });
      sending.once("error", reject);
      sending.end(body);
    });
  return {
    put: async (change, signal) => void (await call("/put", { body: JSON.stringify(change), signal })),
    raise: async (of, signal) => void (await call("/fence", { body: JSON.stringify(of), signal })),
    // The target's own JSON.
    read: async (of) => JSON.parse(await call("/read", { body: JSON.stringify(of) })) as JsonObject | null,
    close: () => agent.destroy(),
  };
}

/** The query by which a thing is read, bound by each half to a connector of its own. */
export const thingRecords: RecordQuery<TargetClient> = {
  name: thingQuery,
  key: (row) => String(row["thing"]),
  labels: { thing: "system", value: "system", version: "system" },
  run: async (target, params) => {
    const thing = String(params["thing"]);
    const row = await target.read({ kind: String(params["kind"]), thing });
    return row === null ? [] : [{ thing, ...row }];
  },
};
