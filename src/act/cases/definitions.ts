import type { AnyCase, Migration } from "../../contract/case.ts";

/** The cases of a project by name and version. */
export interface Definitions {
  /** The definition that a case runs on; `undefined` where this project has it no more, or not yet. */
  readonly of: (on: { readonly name: string; readonly version: string }) => AnyCase | undefined;
  /** The version that is started. */
  readonly current: (name: string) => AnyCase | undefined;
  /** The definition that takes cases of this version over, and how; `null` where they finish on their own. */
  readonly heirOf: (on: { readonly name: string; readonly version: string }) => Heir | null;
  /** The versions that a worker with this project can move. */
  readonly movable: readonly { readonly name: string; readonly version: string; readonly heir: string | null }[];
}

/** A definition with the written step that takes a case over to it. */
export interface Heir {
  readonly one: AnyCase;
  readonly migration: Migration;
}

/** Sorts the cases of a project. */
export function indexCases(cases: readonly AnyCase[]): Definitions {
  const current = new Map(cases.filter(({ isRetired }) => !isRetired).map((one) => [one.name, one]));
  const known = new Map(cases.map((one) => [`${one.name} ${one.version}`, one]));
  const heirOf: Definitions["heirOf"] = ({ name, version }) => {
    const one = current.get(name);
    const migration = one?.migrate.find(({ from }) => from === version);
    return one === undefined || migration === undefined ? null : { one, migration };
  };
  const inherited = [...current.values()].flatMap(({ name, migrate }) => migrate.map(({ from }) => ({ name, version: from })));
  const pairs = new Map([...cases, ...inherited].map(({ name, version }) => [`${name} ${version}`, { name, version }]));
  return {
    of: ({ name, version }) => known.get(`${name} ${version}`),
    current: (name) => current.get(name),
    heirOf,
    movable: [...pairs.values()].map((pair) => ({ ...pair, heir: heirOf(pair)?.one.version ?? null })),
  };
}
