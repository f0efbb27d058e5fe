import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { idPattern } from "../../contract/limits.ts";

const day = z.iso.date();
const name = z.string().min(1).max(200);

/** What a project says of models that their ids do not: deployments, fine-tuned ones, ends that it was told. */
const form = z.strictObject({
  models: z
    .array(
      z.strictObject({
        provider: z.string().regex(idPattern),
        id: name,
        /** Of a fine-tuned model or a deployment: the model behind it. */
        base: name.optional(),
        /** What the provider does with a deployment when its model ends. */
        upgrade: z.enum(["none", "when_expired", "when_default_changes"]).optional(),
        shutdownOn: day.optional(),
        lastTrainingOn: day.optional(),
      }),
    )
    .max(500),
});

/** What `models.yaml` holds, one entry for each model. */
export type OwnModels = z.infer<typeof form>["models"];

/** Reads `models.yaml` of a project; empty where there is none. Throws `definition_invalid` for one that is not in its form. */
export async function readModelsFile(folder: string): Promise<OwnModels> {
  const text = await readFile(join(folder, "models.yaml"), "utf8").catch(missingIsEmpty);
  if (text === null) return [];
  try {
    return form.parse(parse(text, { maxAliasCount: 0 })).models;
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause).replaceAll("\n", "; ").slice(0, 300) : "it is no YAML";
    throw new CountersignError("definition_invalid", `models.yaml cannot be used: ${why}; see docs/models.md`, { cause });
  }
}

function missingIsEmpty(thrown: unknown): null {
  if (thrown instanceof Error && "code" in thrown && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR")) return null;
  throw thrown;
}
