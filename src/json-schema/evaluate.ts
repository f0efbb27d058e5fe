import type { Json } from "../contract/json.ts";
import type { Frame, Issue, Marks, Path, Run, SchemaNode } from "./node.ts";

/** Subschemas and members that one validation may look at: what `anyOf` within `anyOf` makes of a small schema has no other end. */
const maxSteps = 500_000;
/** Subschemas within subschemas that one validation may enter; a reference that leads to itself ends here. */
const maxDepth = 400;
const maxIssues = 20;

/** Thrown where a validation has used up what it may; the value then does not fit. */
export class LimitReached extends Error {}

/** Starts a validation at the whole value. */
export function startFrame(node: SchemaNode, { tracksMarks, patternWork }: { tracksMarks: boolean; patternWork: number }): Frame {
  const run: Run = { steps: 0, patternWork, issues: [] };
  const marks = tracksMarks ? { keys: new Set<string>(), places: new Set<number>() } : null;
  return { run, path: null, scope: { outer: null, resource: node.resource }, marks, depth: 0, isSilent: false };
}

/** Checks a value against a subschema, in a frame of its own: `enter` makes it. Throws `LimitReached`. */
export function evaluate(node: SchemaNode, value: Json, frame: Frame): boolean {
  spend(frame.run);
  if (node.raw === true) return true;
  if (node.raw === false) return misfit(frame, "nothing is allowed here");
  let fits = true;
  for (const check of node.checks) {
    if (check(value, frame)) continue;
    if (frame.isSilent) return false;
    fits = false;
  }
  return fits;
}

/** Counts steps of a validation, one unless told. Each stands for about as much work, whatever keyword does it. */
export function spend(run: Run, steps = 1): void {
  run.steps += steps;
  if (run.steps > maxSteps) throw new LimitReached(`more than ${maxSteps} steps`);
}

/** The frame for another subschema over the same value, with marks of its own; `join` takes them over where it fits. */
export function enter(frame: Frame, node: SchemaNode, { isSilent = frame.isSilent } = {}): Frame {
  const scope = frame.scope.resource === node.resource ? frame.scope : { outer: frame.scope, resource: node.resource };
  return { ...frame, scope, marks: freshMarks(frame), depth: deeper(frame), isSilent };
}

/** The frame for a subschema over one member of the value. */
export function enterMember(
  frame: Frame,
  node: SchemaNode,
  { key, isSilent = frame.isSilent }: { key: string | number; isSilent?: boolean },
): Frame {
  const path: Path = { parent: frame.path, key };
  return { ...enter(frame, node, { isSilent }), path };
}

/** Takes over what a subschema that fits has looked at. */
export function join(frame: Frame, { marks }: Frame): void {
  if (frame.marks === null || marks === null) return;
  spend(frame.run, marks.keys.size + marks.places.size);
  for (const key of marks.keys) frame.marks.keys.add(key);
  for (const place of marks.places) frame.marks.places.add(place);
}

/** Notes an issue, where the frame takes any, and is false. */
export function misfit({ run, path, isSilent }: Frame, message: string): false {
  if (!isSilent && run.issues.length < maxIssues) run.issues.push({ path: keysOf(path), message });
  return false;
}

function freshMarks({ marks }: Frame): Marks | null {
  return marks === null ? null : { keys: new Set(), places: new Set() };
}

function deeper({ depth }: Frame): number {
  if (depth >= maxDepth) throw new LimitReached(`deeper than ${maxDepth}`);
  return depth + 1;
}

function keysOf(path: Path | null): Issue["path"] {
  const keys: (string | number)[] = [];
  for (let at = path; at !== null; at = at.parent) keys.unshift(at.key);
  return keys;
}
