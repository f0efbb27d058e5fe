import { CountersignError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { decisionLines, print } from "./print.ts";

/** Decides by a named capability; the inputs come as JSON text. */
export async function decide(
  { capability, inputs }: { capability: string; inputs: string },
  options: ConnectionOptions & { wait: string },
): Promise<void> {
  const client = await connect(options);
  const view = await client.decide({ capability, inputs: parsed(inputs), waitSeconds: Number(options.wait) });
  print({ json: options.json, value: view, lines: decisionLines(view) });
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse gives JSON
  } catch (cause) {
    throw new CountersignError("bad_json", 'the inputs are not JSON; write them like \'{"text":"my mouse is broken"}\'', {
      cause,
    });
  }
}
