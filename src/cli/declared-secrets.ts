import { z } from "zod";
import { refuseSharedNames } from "../vault/names.ts";
import { saidByOwnProcess } from "./own-process.ts";

const names = z.array(z.string());
const form = {
  deciding: z.strictObject({ reads: names, models: names, withoutBoundary: names }),
  acting: z.strictObject({ writes: names, observes: names }),
};

/**
 * Refuses a project whose halves declare a secret in common, or whose acting half would write and observe with the same. Each half
 * is loaded in a process of its own, without any secret, so that nobody ever loads both. Returns which providers of models are sent
 * text as it is. Throws `configuration_invalid`, or what keeps a half from being loaded.
 */
export async function refuseMixedSecrets(project: string): Promise<{ readonly withoutBoundary: readonly string[] }> {
  const [deciding, acting] = await Promise.all([declared("deciding", project), declared("acting", project)]);
  const { withoutBoundary, ...secrets } = form.deciding.parse(deciding);
  refuseSharedNames({ ...secrets, ...form.acting.parse(acting) });
  return { withoutBoundary };
}

function declared(side: "deciding" | "acting", project: string): Promise<unknown> {
  return saidByOwnProcess({ args: ["secret-names", side], project, what: `the ${side} half` });
}
