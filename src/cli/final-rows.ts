import type { DecidingParts } from "../define/deciding.ts";
import type { SecretsByName } from "../define/sandbox.ts";
import type { EvalCase } from "../evals/case-file.ts";
import type { FinalRows } from "../evals/played.ts";
import { readFinalState } from "../final-state.ts";
import type { Policy } from "../guard/policy/policy.ts";
import { environmentVault } from "../vault/environment.ts";
import { decidingSecrets } from "./deciding-secrets.ts";
import type { EvalPerson } from "./eval-people.ts";
import { loadEntry } from "./load.ts";

/** Reads the rows that a case expects in the end from the sandbox that these credentials lead into, as whoever asked. */
export async function readFinalRows({
  folder,
  secrets,
  policy,
  asker,
  wanted,
}: {
  folder: string;
  secrets: SecretsByName;
  policy: Policy;
  asker: EvalPerson;
  wanted: EvalCase["expectations"]["state"];
}): Promise<readonly FinalRows[]> {
  const parts = await loadEntry<DecidingParts>(folder, "decide");
  const vault = environmentVault({ side: "deciding", env: secrets, declared: { reads: decidingSecrets(parts).reads } });
  return readFinalState({ parts, vault, permit: policy, asker, queries: wanted });
}
