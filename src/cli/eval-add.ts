import { join, resolve } from "node:path";
import { neverCancelled } from "../contract/cancel.ts";
import { CountersignError } from "../contract/errors.ts";
import type { KnownValue } from "../contract/privacy.ts";
import type { Sandbox } from "../define/sandbox.ts";
import { caseFromDecision, type Failed, knownIn, type Right, type Written, writtenIn } from "../evals/from-decision.ts";
import { putCase } from "../evals/put-case.ts";
import { builtInRecogniser } from "../gateway/recognisers/built-in.ts";
import { openBoundary } from "../guard/privacy/boundary.ts";
import { findStructured } from "../guard/privacy/detect/find-structured.ts";
import { compileTerms } from "../guard/privacy/detect/terms.ts";
import { readPrivacyPolicy } from "../guard/privacy/policy.ts";
import { successorOf } from "../ledger/ends.ts";
import { type PayloadKeys, payloadKeys } from "../ledger/payload.ts";
import { pooledRandom } from "../ledger/random.ts";
import { readDecision } from "../ledger/read.ts";
import type { DecisionStory } from "../ledger/story.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { isId } from "../store/ids.ts";
import { withRoleUrl } from "./embedded-url.ts";
import { hasEntry, loadEntry } from "./load.ts";
import { payloadKeyOf } from "./payload-key.ts";
import { print } from "./print.ts";
import { newStandInKey } from "./stand-in-key.ts";

interface AddOptions {
  readonly project: string;
  readonly directory: string;
  readonly decision?: string;
  readonly refuses?: true;
  readonly label: Right["label"];
  readonly json?: true;
}

/**
 * Makes an eval case of a decision that went wrong and puts it into the project's `evals`, with personal data replaced. Asked twice it is
 * one case, which is never written over. Throws `not_found`, and `bad_request` where its inputs are gone or nobody said what is right.
 */
export async function evalAdd(
  decisionId: string,
  { project: folder, directory: home, json, label, ...right }: AddOptions,
): Promise<void> {
  const failed = await readFailed(decisionId, resolve(home));
  const people = hasEntry(folder, "sandbox") ? (await loadEntry<Sandbox>(folder, "sandbox")).people.map(({ id }) => id) : [];
  const written = await cleaned(writtenIn(failed), { people, known: knownIn(failed.story) });
  const evalCase = caseFromDecision(failed, written, { ...right, label });
  const { outcome } = failed.story;
  const capability = String(outcome.body["capability"]);
  const { file, isNew } = await putCase(join(folder, "evals"), { capability, evalCase });
  const path = join(folder, "evals", file);
  const lines = isNew
    ? [`added \`${evalCase.id}\` to ${path}; read it: what was found to be personal is replaced, and a finder misses some`]
    : [`\`${evalCase.id}\` is in ${path} already; it was left as it is`];
  print({ json, value: { decisionId, case: evalCase.id, file: path, isNew }, lines });
}

async function readFailed(decisionId: string, directory: string): Promise<Failed> {
  const root = await payloadKeyOf(directory);
  return withRoleUrl({ directory, role: "deciding" }, async (url) => {
    const database = openDatabase({ url, role: "deciding", connections: 1 });
    const keys = payloadKeys(root, pooledRandom(), database);
    try {
      const story = isId(decisionId) ? await findStory({ database, keys, decisionId }) : null;
      if (story === null) throw new CountersignError("not_found", "no decision of that id has ended here");
      const into = successorOf(story);
      return { story, successor: into === null ? null : await findStory({ database, keys, decisionId: into }) };
    } finally {
      await database.close();
    }
  });
}

async function findStory(of: { database: Database; keys: PayloadKeys; decisionId: string }): Promise<DecisionStory | null> {
  const { database, keys, decisionId } = of;
  for (const tenant of await database.tenants()) {
    const story = await database.inSnapshot(tenant, (tx) => readDecision({ tx, tenant, decisionId, keys }));
    if (story !== null) return story;
  }
  return null;
}

/**
 * Replaces what is personal as the boundary replaces it for a provider, by the shipped rules: a project may allow a provider more, a
 * repository is read by whoever has it. A person of the sandbox is made up already.
 */
async function cleaned(
  written: Written,
  { people, known }: { people: readonly string[]; known: readonly KnownValue[] },
): Promise<Written> {
  const { rules } = readPrivacyPolicy(null);
  const terms = known.length === 0 ? {} : { terms: compileTerms(known) };
  const boundary = openBoundary({
    ...{ rules, region: "", key: newStandInKey(), recogniser: builtInRecogniser() },
    structured: (text) => findStructured(text, terms),
  });
  const { payload } = await boundary.encode({ ...written, principal: "" }, neverCancelled);
  return { ...payload, principal: people.includes(written.principal) ? written.principal : "asker" };
}
