import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CountersignError } from "../../contract/errors.ts";
import type { Recogniser } from "../../contract/privacy.ts";
import { findNames } from "../../guard/privacy/recogniser/find-names.ts";
import card from "../../guard/privacy/recogniser/model.json" with { type: "json" };
import { type NameModel, openNameModel } from "../../guard/privacy/recogniser/name-model.ts";
import { cancelled } from "./recogniser-fault.ts";

const modelFile = new URL("../../guard/privacy/recogniser/model.bin", import.meta.url);

/** How the built-in recogniser looks. */
export interface BuiltInOptions {
  /** Whether cities and countries count that are no part of an address; they do not unless asked for. */
  readonly places?: boolean;
}

/**
 * The recogniser that comes with Countersign: a small tagger in this process, without a network and without a package. Its model is read
 * when it first looks, and checked against its digest. What it finds and what it misses stands in docs/recogniser.md. `find` rejects with
 * `configuration_invalid` where the model's file is not the one that belongs to this version.
 * @example
 * builtInRecogniser().name; // "built-in"
 */
export function builtInRecogniser({ places = false }: BuiltInOptions = {}): Recogniser {
  let reading: Promise<NameModel> | null = null;
  return Object.freeze<Recogniser>({
    ...{ name: "built-in", version: card.sha256.slice(0, 16) },
    find: async (texts, cancel) => {
      reading ??= readModel();
      const model = await reading;
      return texts.map((text) => {
        if (cancel.isCancelled()) throw cancelled("built-in");
        return findNames(text, { model, places });
      });
    },
  });
}

async function readModel(): Promise<NameModel> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(modelFile);
  } catch (thrown) {
    throw new CountersignError("configuration_invalid", "the model of the built-in recogniser cannot be read", { cause: thrown });
  }
  return checkedModel(bytes, card.sha256);
}

/** Opens a model's bytes after their digest (SHA-256, lower-case hex) was compared. Throws `configuration_invalid`. */
export function checkedModel(bytes: Uint8Array, sha256: string): NameModel {
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new CountersignError(
      "configuration_invalid",
      "the model of the built-in recogniser is not the one of this version; install it anew",
    );
  return openNameModel(bytes);
}
