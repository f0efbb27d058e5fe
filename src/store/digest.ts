import { hash } from "node:crypto";
import type { Digest } from "../contract/ports.ts";

/** SHA-256 by the platform's one-shot hash. */
export const sha256Digest: Digest = { sha256: (text) => hash("sha256", text, "hex") };
