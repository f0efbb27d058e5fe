import { readVaultFile } from "../vault/file.ts";
import { namesOf } from "../vault/file-form.ts";
import { print } from "./print.ts";
import { type VaultOptions, vaultPath } from "./vault-place.ts";

/** Lists the names in the vault file and what each is for. It needs no key and opens no value. */
export async function secretList(options: VaultOptions): Promise<void> {
  const names = namesOf((await readVaultFile(vaultPath(options))) ?? {});
  const secrets = names.map(({ name, side, purpose }) => ({ name, side: purpose === "own" ? side : purpose, process: side }));
  const lines = secrets.map(({ name, side, process }) => `${name} (${side}, for the ${process} process)`);
  print({
    json: options.json,
    value: { secrets },
    lines: lines.length > 0 ? lines : ["no secret is kept; keep one with `countersign secret set`"],
  });
}
