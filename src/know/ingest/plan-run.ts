import type { Seen } from "./examine.ts";
import { type FileFault, passingFaults } from "./faults.ts";
import type { DocumentKey } from "./library.ts";
import { keyText, type ShelvedDocument } from "./shelf.ts";

/** What is remembered of a file in the database. */
export interface FileRow {
  readonly path: string;
  readonly contentHash: string | null;
  readonly attributesHash: string | null;
  readonly document: DocumentKey | null;
  readonly passages: number | null;
  readonly fault: string | null;
  readonly detail: string | null;
}

type Good = Extract<Seen, { kind: "good" }>;

/** What a run has to do, in this order: nothing that is gone or closed waits for a file to be read. */
export interface Plan {
  /** Versions that no file is any more. */
  readonly remove: readonly DocumentKey[];
  readonly rescope: readonly (DocumentKey & { readonly scopes: readonly string[] })[];
  /** Files to be read and filed; what each replaces goes when it is filed, or when it turns out to be no good. */
  readonly file: readonly { readonly seen: Good; readonly replaces: readonly DocumentKey[] }[];
  readonly faults: readonly {
    readonly path: string;
    readonly contentHash: string | null;
    readonly fault: FileFault;
    readonly detail: string;
  }[];
  /** Paths that are as they were, and so need nothing. */
  readonly unchanged: readonly string[];
  /** Rows of files that are gone. */
  readonly forget: readonly string[];
}

/**
 * Compares a folder with what is filed of it. `seen` are its files, `rows` what is remembered of them, `shelf` what stands in the index.
 * Pure.
 */
export function planRun({
  seen,
  rows,
  shelf,
}: {
  seen: readonly Seen[];
  rows: readonly FileRow[];
  shelf: readonly ShelvedDocument[];
}): Plan {
  const rowOf = new Map(rows.map((row) => [row.path, row]));
  const shelved = new Map(shelf.map((one) => [keyText(one), one]));
  const { owners, doubles } = ownersOf(seen, rowOf);
  const faulty = seen.flatMap((one) => (one.kind === "faulty" ? [one] : (doubles.get(one) ?? [])));
  const isHeld = heldKeys(faulty, rows);
  const moves = [...owners].map(([key, one]) => moveOf({ key, one, rowOf, owners, shelved }));
  const replaced = new Set(moves.flatMap(({ replaces }) => replaces.map(keyText)));
  const remove = shelf.filter((one) => {
    const key = keyText(one);
    return !owners.has(key) && !replaced.has(key) && !isHeld(key);
  });
  const present = new Set(seen.map(pathOf));
  const forget = rows.filter(({ path, document }) => !present.has(path) && !(document !== null && isHeld(keyText(document))));
  return {
    remove,
    rescope: moves.flatMap(({ rescope }) => rescope),
    file: moves.filter(({ isFiled: is }) => !is).map(({ one, replaces }) => ({ seen: one, replaces })),
    faults: faulty,
    unchanged: moves.filter(({ isFiled: is }) => is).map(({ one }) => one.file.path),
    forget: forget.map(({ path }) => path),
  };
}

interface Moving {
  readonly key: string;
  readonly one: Good;
  readonly rowOf: ReadonlyMap<string, FileRow>;
  readonly owners: ReadonlyMap<string, Good>;
  readonly shelved: ReadonlyMap<string, ShelvedDocument>;
}

/** What has to be done about one good file. What it was filed as before goes with its filing, unless another file is that now. */
function moveOf({ key, one, rowOf, owners, shelved }: Moving) {
  const row = rowOf.get(one.file.path);
  const old = row?.document ?? null;
  const before = old === null || owners.has(keyText(old)) ? undefined : shelved.get(keyText(old));
  const { scopes } = one.attributes;
  const rescope = [shelved.get(key), before]
    .filter((at) => at !== undefined)
    .filter((at) => !isSameSet(at.scopes, scopes))
    .map(({ id, version }) => ({ id, version, scopes }));
  const replaces: readonly DocumentKey[] = before === undefined ? [] : [before];
  return { one, rescope, replaces, isFiled: isFiled(one, { row, shelved: shelved.get(key) }) };
}

/** Who is which document. Of two files of one key the one that has it already keeps it, else the first by its path. */
function ownersOf(
  seen: readonly Seen[],
  rowOf: ReadonlyMap<string, FileRow>,
): { owners: ReadonlyMap<string, Good>; doubles: ReadonlyMap<Seen, Plan["faults"]> } {
  const owners = new Map<string, Good>();
  const doubles = new Map<Seen, Plan["faults"]>();
  const good = seen.filter((one): one is Good => one.kind === "good");
  const has = (one: Good): boolean => {
    const document = rowOf.get(one.file.path)?.document;
    return document != null && keyText(document) === keyText(one.attributes);
  };
  for (const one of [...good.filter(has), ...good.filter((each) => !has(each))]) {
    const key = keyText(one.attributes);
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, one);
    else {
      const detail = `its id and version are those of \`${owner.file.path.slice(0, 200)}\`; give it others`;
      doubles.set(one, [{ path: one.file.path, contentHash: one.contentHash, fault: "id_taken", detail }]);
    }
  }
  return { owners, doubles };
}

/** What stays although no file of it was seen: what could not be looked at may still be there. */
function heldKeys(faulty: Plan["faults"], rows: readonly FileRow[]): (key: string) => boolean {
  const passing = faulty.filter(({ fault }) => passingFaults.includes(fault)).map(({ path }) => path);
  const held = rows.filter(({ path }) => passing.some((one) => path === one || path.startsWith(`${one}/`)));
  const keys = new Set(held.flatMap(({ document }) => (document === null ? [] : [keyText(document)])));
  return (key) => keys.has(key);
}

/** Filed as it is now, by what the index itself says; or known to be no good, as it is now. */
function isFiled(one: Good, { row, shelved }: { row: FileRow | undefined; shelved: ShelvedDocument | undefined }): boolean {
  if (row === undefined || row.contentHash !== one.contentHash || row.attributesHash !== one.attributesHash) return false;
  if (row.fault !== null) return !passingFaults.some((fault) => fault === row.fault) && shelved === undefined;
  if (row.document === null || keyText(row.document) !== keyText(one.attributes)) return false;
  return shelved !== undefined && shelved.contentHash === one.contentHash && shelved.passages === row.passages;
}

function pathOf(one: Seen): string {
  return one.kind === "good" ? one.file.path : one.path;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((label) => second.has(label));
}
