import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CountersignError, messageOf } from "../contract/errors.ts";
import { openPolicy, type Policy, type PolicyText } from "../guard/policy/policy.ts";
import { schemaFile } from "../guard/policy/policy-text.ts";
import { ownPolicies } from "./own-policies.ts";

/** The folder of the policies that come with the program. */
const shippedPolicies = fileURLToPath(new URL("../../policies/", import.meta.url));

/** Opens the policies of a project, or the shipped ones alone. Throws `policy_invalid`, or `configuration_invalid` for a folder that is not there. */
export function openPolicies(project?: string): Policy {
  return openPolicy({ texts: policyTexts(project) });
}

/**
 * Opens a project's policies with others in the place of those of the same name or beside them: the files of a folder, or one `.cedar` file.
 * Throws as `openPolicies` does.
 */
export function openPoliciesWith(project: string, path: string): Policy {
  const others = path.endsWith(".cedar") ? [readPolicy(path)] : readFolder(path).filter(({ file }) => file.endsWith(".cedar"));
  const named = new Set(others.map(({ file }) => file));
  return openPolicy({ texts: [...policyTexts(project).filter(({ file }) => !named.has(file)), ...others] });
}

function readPolicy(path: string): PolicyText {
  const file = basename(path);
  const found = readFolder(dirname(path)).find((text) => text.file === file);
  if (found === undefined) throw new CountersignError("configuration_invalid", `there is no policy \`${file}\` at that place`);
  return found;
}

/** The policies in force: the shipped files, and those of the project's folder in place of the ones of the same name or beside them. */
export function policyTexts(project?: string): readonly PolicyText[] {
  return filesInForce(project).filter(({ file }) => file.endsWith(".cedar") || file === schemaFile);
}

/** The policy tests in force, put together as the policies are: a file of the same name stands for the shipped one. */
export function policyTestTexts(project?: string): readonly PolicyText[] {
  return filesInForce(project).filter(({ file }) => file.endsWith(".test.json"));
}

function filesInForce(project: string | undefined): readonly PolicyText[] {
  const own = ownPolicies(project);
  const files = new Map(readFolder(shippedPolicies).map((text) => [text.file, text]));
  for (const text of own === null ? [] : readFolder(own)) {
    refuseStray(text.file);
    files.set(text.file, text);
  }
  return [...files.values()];
}

/** A misnamed file would be a rule that nobody asks. */
function refuseStray(file: string): void {
  if (file === schemaFile)
    throw new CountersignError("policy_invalid", `\`${file}\` is the program's own; leave it out of the project's policies`, {
      facts: { file },
    });
  if (/[.](?:cedar|test[.]json|md)$/.test(file)) return;
  throw new CountersignError("policy_invalid", `\`${file}\` is no policy; name it \`.cedar\`, or take it out of the folder`, {
    facts: { file },
  });
}

function readFolder(folder: string): PolicyText[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort()
      .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
  } catch (cause) {
    throw new CountersignError(
      "configuration_invalid",
      `the policies in \`${basename(folder)}\` cannot be read: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}
