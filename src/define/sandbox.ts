import type { FactDraft, FactSource, PredicateDraft } from "../contract/fact.ts";
import type { ReleaseSamples } from "./release.ts";

/** Someone who can sign in to the demo. */
export interface SandboxPerson {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
}

/** Secrets by name, for the one process that may know them. */
export type SecretsByName = Readonly<Record<string, string>>;

/** Facts that a tenant of a sandbox knows at the start, of one source; a demo has nobody who told them by an effect. */
export interface SandboxFacts {
  readonly tenant: string;
  readonly source: FactSource;
  readonly predicates: readonly PredicateDraft[];
  readonly facts: readonly FactDraft[];
}

/**
 * What `start` needs to try a project out: a system of record that stands for somebody else's, filled with examples, and people.
 * The default export of `sandbox.ts`; loaded by `start` and `effect test` alone, with the owner's login, never by one of the three
 * processes.
 */
export interface Sandbox {
  readonly tenants: readonly { readonly id: string; readonly name: string }[];
  readonly people: readonly SandboxPerson[];
  /** A request to begin with; `start` shows it. */
  readonly suggests?: string;
  /** Installs and fills the sandbox; repeating it changes nothing but passwords. Returns the credentials for each half. */
  readonly install: (database: {
    adminUrl: string;
  }) => Promise<{ readonly deciding: SecretsByName; readonly acting: SecretsByName }>;
  /** Written after `install`, by the writer of the acting half; none where it is left out. */
  readonly facts?: readonly SandboxFacts[];
  /** Thresholds that the person named opens by a signed approval at the first start. */
  readonly slices: readonly {
    readonly by: string;
    readonly capability: string;
    readonly slice: string;
    readonly thresholdPpm: number;
  }[];
  /** What `effect test` tries each effect on, by the effect's name. */
  readonly release?: { readonly [effect: string]: ReleaseSamples };
}

/** Collects what it takes to try a project out. */
export function defineSandbox(sandbox: Sandbox): Sandbox {
  return Object.freeze({ ...sandbox });
}
