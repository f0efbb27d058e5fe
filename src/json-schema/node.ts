import type { Json } from "../contract/json.ts";

/** A subschema with everything that checks a value against it; `checks` is filled once all subschemas are known. */
export interface SchemaNode {
  /** Where it stands in the schema, as a JSON pointer, for messages. */
  readonly place: string;
  readonly raw: SchemaObject | boolean;
  readonly resource: Resource;
  readonly checks: Check[];
}

/** A schema with a URI of its own, and the names by which its subschemas are referred to. */
export interface Resource {
  readonly uri: string;
  readonly raw: SchemaObject | boolean;
  readonly anchors: Map<string, SchemaNode>;
  readonly dynamicAnchors: Map<string, SchemaNode>;
}

export type SchemaObject = { readonly [keyword: string]: Json };

/** Says whether a value passes one keyword; what it found wrong is told to the frame's run. */
export type Check = (value: Json, frame: Frame) => boolean;

/** Where an evaluation stands: at one value, under one subschema. */
export interface Frame {
  readonly run: Run;
  readonly path: Path | null;
  /** The resources that were entered, the innermost first. */
  readonly scope: Scope;
  /** What of the value's members was looked at; `null` where no keyword of the schema asks. */
  readonly marks: Marks | null;
  readonly depth: number;
  /** Inside a question (`anyOf`, `not`, `if`) a misfit is an answer and no issue. */
  readonly isSilent: boolean;
}

export interface Path {
  readonly parent: Path | null;
  readonly key: string | number;
}

export interface Scope {
  readonly outer: Scope | null;
  readonly resource: Resource;
}

/** The members that some keyword has looked at. */
export interface Marks {
  readonly keys: Set<string>;
  readonly places: Set<number>;
}

/** What one validation has used up and found. */
export interface Run {
  steps: number;
  /** What matching patterns may still cost, in comparisons of a character. */
  patternWork: number;
  readonly issues: Issue[];
}

export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}
