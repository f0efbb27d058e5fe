import { isCountersignError } from "../contract/errors.ts";
import { readExemptions } from "../guard/privacy/exemptions.ts";
import { readPrivacyPolicy } from "../guard/privacy/policy.ts";
import type { WithoutBoundary } from "./deciding-secrets.ts";
import type { Finding } from "./finding.ts";
import { exemptionsFile, privacyFile, readPrivacyFiles } from "./privacy-place.ts";

/**
 * Checks what a project says of privacy: its rules, its dictionaries, and that each provider that is sent text as it is has a reason. The
 * signatures are an installation's matter, and are looked at by the start and by `doctor`.
 */
export async function checkPrivacy(folder: string, withoutBoundary: readonly WithoutBoundary[]): Promise<readonly Finding[]> {
  const error = (problem: string, fix: string): Finding => ({ level: "error", about: "privacy", problem, fix });
  try {
    const files = await readPrivacyFiles(folder, []);
    readPrivacyPolicy(files.policy);
    const { exemptions } = readExemptions(files.exemptions);
    return withoutBoundary
      .filter(({ name, host }) => !exemptions.some((one) => one.provider === name && one.host === host))
      .map(({ name }) =>
        error(
          `provider \`${name}\` is sent text as it is, and \`${exemptionsFile}\` holds no reason for it`,
          `leave its \`boundary\` out, or have a person run \`countersign privacy allow-off ${name} --reason TEXT\``,
        ),
      );
  } catch (thrown) {
    if (!isCountersignError(thrown, "definition_invalid") && !isCountersignError(thrown, "configuration_invalid")) throw thrown;
    return [error(thrown.message, `see docs/privacy.md for the form of \`${privacyFile}\``)];
  }
}
