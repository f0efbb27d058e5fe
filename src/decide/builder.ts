import type { Stop } from "../contract/decision.ts";
import type { NodeName, nodeNames } from "../contract/words.ts";
import type { Deps, Slots, StopWith } from "./state.ts";

/** A node as the walk sees it: it reads the state and adds its own part, or stops the decision. */
export interface GraphNode {
  readonly name: NodeName;
  readonly run: (state: Partial<Slots>, deps: Deps) => Promise<Partial<Slots> | Stop | StopWith>;
}
/** The sealed list. */
export type Graph = readonly GraphNode[];

// The types below refuse a graph that cannot be right, each with a sentence that names the node or the slot.
type NodeFunction = (state: never, deps: Deps) => Promise<unknown>;
type IsAny<T> = 0 extends 1 & T ? true : false;
type Reads<F extends NodeFunction> = Parameters<F>[0];
type Adds<F extends NodeFunction> = Exclude<Awaited<ReturnType<F>>, Stop>;
type Next<Done extends readonly NodeName[]> = (typeof nodeNames)[Done["length"] & keyof typeof nodeNames] & string;
type Word<T> = T & string;

type NodeRefusal<Name extends NodeName, F extends NodeFunction, Have, Done extends readonly NodeName[]> = true extends
  | IsAny<F>
  | IsAny<Reads<F>>
  | IsAny<Adds<F>>
  ? `node \`${Name}\` is typed any, so nothing about it can be checked`
  : Name extends Done[number]
    ? `node \`${Name}\` stands in the graph twice`
    : Name extends Next<Done>
      ? SlotRefusal<Name, Reads<F>, Adds<F>, Have>
      : `node \`${Name}\` is out of order: \`${Next<Done>}\` comes next`;

type SlotRefusal<Name extends NodeName, Read, Added, Have> = [Exclude<keyof Read, keyof Have>] extends [never]
  ? [keyof Added & keyof Have] extends [never]
    ? unknown
    : `node \`${Name}\` overwrites the slot \`${Word<keyof Added & keyof Have>}\``
  : `node \`${Name}\` reads the slot \`${Word<Exclude<keyof Read, keyof Have>>}\`, which no earlier node adds`;

type SealRefusal<Unread, Done extends readonly NodeName[]> = Done["length"] extends (typeof nodeNames)["length"]
  ? [Unread] extends [never]
    ? unknown
    : `the slot \`${Word<Unread>}\` is never read`
  : `node \`${Next<Done>}\` is missing`;

// `any` is accepted by every parameter, so a node of type any turns the rest of the chain into the refusal.
type After<Name extends NodeName, F extends NodeFunction, Have, Unread, Done extends readonly NodeName[]> =
  true extends IsAny<F>
    ? NodeRefusal<Name, F, Have, Done>
    : Building<Have & Adds<F>, Exclude<Unread, keyof Reads<F>> | keyof Adds<F>, [...Done, Name]>;

/** A graph in the making: what is in the state so far, what of it nobody has read yet, which nodes stand. */
interface Building<Have, Unread, Done extends readonly NodeName[]> {
  add<Name extends NodeName, F extends NodeFunction>(
    name: Name,
    node: F & NodeRefusal<Name, F, Have, Done>,
  ): After<Name, F, Have, Unread, Done>;
  seal(this: SealRefusal<Exclude<Unread, "outcome">, Done>): Graph;
}

/** Begins a graph over the state `{ request }`; `add` each node in order, then `seal`. */
export function decisionGraph(): Building<Pick<Slots, "request">, "request", []> {
  return building([]);
}

function building<Have, Unread, Done extends readonly NodeName[]>(nodes: Graph): Building<Have, Unread, Done> {
  return {
    // The types above have checked that the state holds what the node reads; the list forgets it.
    add: (name, node) => building([...nodes, { name, run: node as unknown as GraphNode["run"] }]) as never,
    seal: () => Object.freeze(nodes),
  };
}
