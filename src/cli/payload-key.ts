import { CountersignError } from "../contract/errors.ts";
import { readSettings } from "./settings.ts";

/** The installation's payload key, by `COUNTERSIGN_PAYLOAD_KEY` or its settings. Throws `configuration_invalid` where neither has one. */
export async function payloadKeyOf(directory: string): Promise<Buffer> {
  const root = process.env["COUNTERSIGN_PAYLOAD_KEY"] ?? (await readSettings(directory))?.payloadKey;
  if (root !== undefined) return Buffer.from(root, "base64");
  const message =
    "there is no payload key to read it with; name the installation with --directory, or set COUNTERSIGN_PAYLOAD_KEY";
  throw new CountersignError("configuration_invalid", message);
}
