import { z } from "zod";
import { CountersignError } from "../contract/errors.ts";
import { mayBeKept, type SecretPurpose, type VaultSide } from "./names.ts";
import type { Section } from "./section.ts";

/** What a vault file holds: a section for each side that has secrets in it. */
export type Sections = { readonly [side in VaultSide]?: Section };

/** A name that a vault file holds, with its process and its use. */
export interface KeptName {
  readonly name: string;
  readonly side: VaultSide;
  readonly purpose: SecretPurpose;
}

const version = 1;
const purposes = z.enum(["reads", "models", "writes", "observes", "own"]);
const sectionForm = z.strictObject({
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
  names: z.record(z.string(), purposes),
  sealed: z.string(),
});
const fileForm = z.strictObject({
  format: z.literal("countersign-vault"),
  version: z.literal(version),
  sections: z.strictObject({
    deciding: sectionForm.optional(),
    desk: sectionForm.optional(),
    acting: sectionForm.optional(),
  }),
});
const anyVersion = z.object({ format: z.literal("countersign-vault"), version: z.int() });

/**
 * Reads the text of a vault file. Throws `configuration_invalid` for another form or version, for a name on a side where it does not
 * belong or on two sides, and for two sections under one key.
 */
export function parseVaultFile(text: string, path: string): Sections {
  const json = jsonOf(text);
  const other = anyVersion.safeParse(json).data?.version ?? version;
  if (other !== version)
    throw invalid(
      `the vault file \`${path}\` has version ${other}, and this program reads ${version}; use the one that wrote it`,
    );
  const parsed = fileForm.safeParse(json);
  // What the parser would say quotes what it found.
  if (!parsed.success) throw invalid(`the vault file \`${path}\` is damaged; restore it from a copy`);
  const sections = Object.fromEntries(Object.entries(parsed.data.sections).filter(([, section]) => section !== undefined));
  refuseMisplaced(sections, path);
  return sections;
}

/** Writes the text of a vault file. Invariant: what is written can be read, so it is parsed first. */
export function vaultFileText(sections: Sections, path: string): string {
  const text = `${JSON.stringify({ format: "countersign-vault", version, sections }, null, 2)}\n`;
  parseVaultFile(text, path);
  return text;
}

/** Every name of a file, in its order. */
export function namesOf(sections: Sections): readonly KeptName[] {
  return sidesOf(sections).flatMap(([side, { names }]) =>
    Object.entries(names).map(([name, purpose]) => ({ name, side, purpose })),
  );
}

/** The sections that are there, by side. */
export function sidesOf(sections: Sections): readonly (readonly [VaultSide, Section])[] {
  const sides = ["deciding", "desk", "acting"] as const;
  return sides.flatMap((side) => {
    const section = sections[side];
    return section === undefined ? [] : [[side, section] as const];
  });
}

function refuseMisplaced(sections: Sections, path: string): void {
  const kept = namesOf(sections);
  const misplaced = kept.filter(({ side, name, purpose }) => !mayBeKept(side, name, purpose));
  if (misplaced.length > 0)
    throw invalid(`the vault file \`${path}\` holds ${misplaced.length} names where they do not belong; restore it from a copy`);
  const projects = kept.filter(({ purpose }) => purpose !== "own").map(({ name }) => name);
  const doubled = projects.find((name, place) => projects.indexOf(name) !== place);
  if (doubled !== undefined)
    throw invalid(`the vault file \`${path}\` holds \`${doubled}\` on two sides; each half has a credential of its own`);
  const keys = sidesOf(sections).map(([, { keyId }]) => keyId);
  if (new Set(keys).size < keys.length)
    throw invalid(
      `two sides of the vault file \`${path}\` have the same key; give each a key of its own, with \`secret rotate\``,
    );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function invalid(message: string): CountersignError {
  return new CountersignError("configuration_invalid", message);
}
