import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Project } from "../define/project.ts";
import { readExemptions, refuseUnsigned } from "../guard/privacy/exemptions.ts";
import { readPrivacyPolicy } from "../guard/privacy/policy.ts";
import { readPublicKeys, signedUnder } from "../store/signature.ts";
import { refuseMixedSecrets } from "./declared-secrets.ts";
import { loadEntry } from "./load.ts";
import { privacyFile, publicKeysIn, readPrivacyFiles } from "./privacy-place.ts";
import { readSettings } from "./settings.ts";

/**
 * What the privacy boundary of a project does, for people, as the decider of this installation would find it. Throws what would keep the
 * decider from starting.
 */
export async function boundaryOf({
  project,
  directory,
}: {
  project: string;
  directory: string;
}): Promise<{ readonly state: "well" | "note"; readonly detail: string }> {
  const { realProviders, withoutBoundary } = await refuseMixedSecrets(project);
  const files = await readPrivacyFiles(project, publicKeysIn(process.env["COUNTERSIGN_PRIVACY_PUBLIC_KEYS"]));
  readPrivacyPolicy(files.policy);
  const exemptions = readExemptions(files.exemptions);
  const settings = await readSettings(directory);
  const own = settings === null ? [] : [settings.privacyKeys.open];
  const isSigned = signedUnder(readPublicKeys([...own, ...files.publicKeys]));
  const { name } = await loadEntry<Project>(project, "project");
  refuseUnsigned({ project: name, providers: withoutBoundary, exemptions, isSigned });
  const rules = existsSync(join(resolve(project), privacyFile)) ? `the rules of ${privacyFile}` : "the shipped rules";
  if (realProviders.length === 0) return { state: "well", detail: `scripts alone decide, which send nothing anywhere; ${rules}` };
  if (withoutBoundary.length === 0) return { state: "well", detail: `on for every provider, by ${rules}` };
  const off = withoutBoundary.map(({ name: of }) => {
    const signed = exemptions.exemptions.find(({ provider }) => provider === of);
    return `\`${of}\` (signed by ${signed?.by ?? ""} on ${signed?.at.slice(0, 10) ?? ""})`;
  });
  return {
    state: "note",
    detail: `off for ${off.join(", ")}, which is sent what stands in prompts as it is; by ${rules} for others`,
  };
}
