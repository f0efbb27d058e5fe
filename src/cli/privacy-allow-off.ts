import { resolve } from "node:path";
import { CountersignError } from "../contract/errors.ts";
import type { Project } from "../define/project.ts";
import { type Exemption, exemptionText, readExemptions, readGrant } from "../guard/privacy/exemptions.ts";
import { systemClock } from "../store/clock.ts";
import { signText } from "../store/signature.ts";
import { refuseMixedSecrets } from "./declared-secrets.ts";
import { loadEntry } from "./load.ts";
import { print } from "./print.ts";
import { exemptionsFile, readPrivacyFiles, writeExemptions } from "./privacy-place.ts";
import { peoplesKey, whoRuns } from "./signing-person.ts";

interface AllowOff {
  readonly reason: string;
  /** Whose reason it is; whoever runs the command unless given. */
  readonly by?: string;
  readonly project: string;
  readonly directory: string;
  readonly json?: true;
}

/**
 * Signs the reason for which a provider is sent text as it is, and keeps it in the project's folder. The key is the installation's own or
 * COUNTERSIGN_PRIVACY_KEY; no process that decides has it. Throws `not_found` for a provider that does not say `boundary: "off"`.
 */
export async function privacyAllowOff(
  provider: string,
  { reason, by, project: folder, directory, json }: AllowOff,
): Promise<void> {
  // The project's own code is loaded elsewhere, in a process without the key.
  const { withoutBoundary } = await refuseMixedSecrets(folder);
  const found = withoutBoundary.find(({ name }) => name === provider);
  if (found === undefined)
    throw new CountersignError("not_found", 'decide.ts of this project has no provider of that name with `boundary: "off"`');
  const { name: project } = await loadEntry<Project>(folder, "project");
  const at = new Date(systemClock.now()).toISOString();
  const grant = readGrant({ provider, host: found.host, reason, by: by ?? whoRuns(), at });
  const key = await peoplesKey(resolve(directory));
  const signed: Exemption = { ...grant, keyId: key.keyId, signature: signText(key, exemptionText(project, grant)) };
  const { exemptions } = readExemptions((await readPrivacyFiles(folder, [])).exemptions);
  const others = exemptions.filter((one) => one.provider !== provider || one.keyId !== key.keyId);
  await writeExemptions(folder, { version: 1, exemptions: [...others, signed] });
  const where = grant.host === null ? "" : ` at ${grant.host}`;
  print({
    json,
    value: { ...grant, keyId: key.keyId },
    lines: [
      `signed by ${grant.by}: ${provider}${where} is sent what stands in prompts as it is`,
      `keep ${exemptionsFile} under version control, and start the decider anew`,
    ],
  });
}
