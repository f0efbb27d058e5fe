import { CountersignError } from "../contract/errors.ts";
import type { WriterRole } from "../contract/words.ts";
import { putSecret } from "../vault/file.ts";
import { namesOf, type Sections } from "../vault/file-form.ts";
import { makeKeyFile } from "../vault/key-files.ts";
import { type DeclaredSecrets, isName, mayBeKept, ownSecrets, type SecretPurpose } from "../vault/names.ts";
import { print } from "./print.ts";
import { readSecret } from "./read-secret.ts";
import { type VaultOptions, withSide } from "./vault-place.ts";

/** What `--side` may say: what the project uses the secret for, or the process of Countersign whose own key it is. */
type SecretSide = keyof DeclaredSecrets | WriterRole;

/**
 * Keeps a secret in the vault file, under the key of its process; its value comes from stdin. Makes file and key on first use. Throws
 * `bad_request` for what is no name, does not belong on that side or is kept on another, for an empty value, and for anything `besides`.
 */
export async function secretSet(
  name: string,
  { side, ...options }: VaultOptions & { side: SecretSide },
  besides: readonly string[],
): Promise<void> {
  if (besides.length > 0) throw refused("`secret set` takes a name and --side; the value comes on stdin, never as an argument");
  const place = placeOf[side];
  refuseName(name, { ...place, given: side });
  const value = await readSecret(name);
  const isNew = await withSide(options, {
    side: () => place.process,
    work: async ({ sections, keyFile, ...at }) => {
      refuseOtherSide(sections, { name, ...place });
      // A section that is there has a key already: a new one in its place would open nothing.
      const keys = at.keys.length > 0 || sections[at.side] !== undefined ? at.keys : [await makeKeyFile(keyFile)];
      await putSecret({ ...at, keys }, { name, purpose: place.purpose, value });
      return sections[at.side]?.names[name] === undefined;
    },
  });
  print({
    json: options.json,
    value: { name, side, process: place.process, isNew },
    lines: [`${isNew ? "kept" : "replaced"} ${name} (${side}); the ${place.process} process knows it from its next start on`],
  });
}

const placeOf: Readonly<Record<SecretSide, { process: WriterRole; purpose: SecretPurpose }>> = {
  reads: { process: "deciding", purpose: "reads" },
  models: { process: "deciding", purpose: "models" },
  writes: { process: "acting", purpose: "writes" },
  observes: { process: "acting", purpose: "observes" },
  deciding: { process: "deciding", purpose: "own" },
  desk: { process: "desk", purpose: "own" },
  acting: { process: "acting", purpose: "own" },
};

function refuseName(
  name: string,
  { process, purpose, given }: { process: WriterRole; purpose: SecretPurpose; given: SecretSide },
): void {
  if (mayBeKept(process, name, purpose)) return;
  // A value that was pasted in place of the name is not told back.
  if (!isName(name)) throw refused("that is no name of a secret; use upper case, digits and `_`, and give the value on stdin");
  if (purpose === "own")
    throw refused(`\`${given}\` keeps Countersign's own keys, ${ownSecrets[process].join(", ")}, and no others`);
  throw refused("names with `COUNTERSIGN_` are Countersign's own; keep them under --side deciding, desk or acting");
}

function refuseOtherSide(sections: Sections, { name, purpose }: { name: string; purpose: SecretPurpose }): void {
  const other = namesOf(sections).find((one) => one.name === name && one.purpose !== purpose);
  if (other !== undefined)
    throw refused(`\`${name}\` is kept under \`${other.purpose}\`; give each use a name of its own, or remove that one first`);
}

function refused(message: string): CountersignError {
  return new CountersignError("bad_request", message);
}
