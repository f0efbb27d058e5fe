import type { PolicyRuling } from "./principal.ts";

/** One policy as it stands in its file. */
interface PolicyLine {
  readonly id: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly effect: "permit" | "forbid";
  readonly actions: readonly string[];
  readonly text: string;
}

/** The policies in force in the process that answers. */
export interface PoliciesView {
  /** Over all files; stands in entries. */
  readonly version: string;
  readonly files: readonly {
    readonly name: string;
    readonly text: string;
    /** SHA-256 over the text, in hex. */
    readonly digest: string;
  }[];
  readonly policies: readonly PolicyLine[];
}

/** A question to the policies, as people write it; what is left out is the usual. */
export interface PolicyQuestion {
  readonly principal: {
    /** Only the caller's own. */
    readonly tenant?: string;
    readonly id: string;
    readonly roles: readonly string[];
    readonly onBehalfOf?: string | null;
    readonly attributes?: { readonly [name: string]: string | number | boolean };
  };
  readonly action: string;
  readonly resource?: { readonly [name: string]: string | number | boolean | readonly string[] };
  readonly listed?: boolean;
}

/** An answer of the policies with those behind it. */
export interface PolicyAnswer {
  readonly version: string;
  readonly ruling: PolicyRuling;
  readonly deciding: readonly PolicyLine[];
  /** Where nothing permits it: the policies that could have, and did not apply. */
  readonly missing: readonly PolicyLine[];
}
