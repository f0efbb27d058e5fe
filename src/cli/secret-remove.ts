import type { WriterRole } from "../contract/words.ts";
import { removeSecret } from "../vault/file.ts";
import { print } from "./print.ts";
import { findKept, type VaultOptions, withSide } from "./vault-place.ts";

/** Forgets a secret of the vault file. Throws `not_found`, or `bad_request` for a name on several sides where none is named. */
export async function secretRemove(
  name: string,
  { process: side, ...options }: VaultOptions & { process?: WriterRole },
): Promise<void> {
  const removed = await withSide(options, {
    side: (sections) => findKept(sections, { name, side }).side,
    work: async (at) => {
      await removeSecret(at, name);
      return at.side;
    },
  });
  print({
    json: options.json,
    value: { name, process: removed },
    lines: [`removed ${name}; the ${removed} process knows it until it ends. Have whoever issued it withdraw it too`],
  });
}
