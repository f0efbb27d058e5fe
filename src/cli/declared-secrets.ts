import { z } from "zod";
import { refuseSharedNames } from "../vault/names.ts";
import type { WithoutBoundary } from "./deciding-secrets.ts";
import { saidByOwnProcess } from "./own-process.ts";

const names = z.array(z.string());
const unbounded = z.array(z.strictObject({ name: z.string(), host: z.string().nullable() }));
const form = {
  deciding: z.strictObject({ reads: names, models: names, realProviders: names, withoutBoundary: unbounded }),
  acting: z.strictObject({ writes: names, observes: names }),
};

/** What a project's deciding half declares of its providers. */
export interface DeclaredProviders {
  readonly realProviders: readonly string[];
  readonly withoutBoundary: readonly WithoutBoundary[];
}

/**
 * Refuses a project whose halves declare a secret in common, or whose acting half would write and observe with the same. Each half
 * is loaded in a process of its own, without any secret, so that nobody ever loads both. Returns which providers are no
 * scripts, and which are sent text as it is. Throws `configuration_invalid`, or what keeps a half from being loaded.
 */
export async function refuseMixedSecrets(project: string): Promise<DeclaredProviders> {
  const [deciding, acting] = await Promise.all([declared("deciding", project), declared("acting", project)]);
  const { realProviders, withoutBoundary, ...secrets } = form.deciding.parse(deciding);
  refuseSharedNames({ ...secrets, ...form.acting.parse(acting) });
  return { realProviders, withoutBoundary };
}

function declared(side: "deciding" | "acting", project: string): Promise<unknown> {
  return saidByOwnProcess({ args: ["secret-names", side], project, what: `the ${side} half` });
}
