import type { WriterRole } from "../contract/words.ts";
import { openSide, rotateSide } from "../vault/file.ts";
import { replaceKeyFile } from "../vault/key-files.ts";
import { keyIdOf } from "../vault/vault-key.ts";
import { print } from "./print.ts";
import { type VaultOptions, withSide } from "./vault-place.ts";

/**
 * Seals the section of one process under a new key, which goes into its key file. Throws `configuration_invalid` where the old key does
 * not open it; then nothing is changed.
 */
export async function secretRotate({ process: side, ...options }: VaultOptions & { process: WriterRole }): Promise<void> {
  const { keyFile, count } = await withSide(options, {
    side: () => side,
    work: async (at) => {
      const { key, values } = openSide(at.sections, at);
      await replaceKeyFile({ path: at.keyFile, sealedUnder: keyIdOf(key) }, (newKey) => rotateSide(at, newKey));
      return { keyFile: at.keyFile, count: values.size };
    },
  });
  print({
    json: options.json,
    value: { process: side, secrets: count, keyFile },
    lines: [
      `${count} secrets of the ${side} process are sealed under a new key, in ${keyFile}; copies of the file keep the old one`,
    ],
  });
}
