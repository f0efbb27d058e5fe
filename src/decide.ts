/** The public API for authors of `decide.ts`: the deciding half's own parts, and the deciding half itself for embedding. */
export { createDecider, type Decider, type DeciderOptions } from "./decider.ts";
export { type DecidingParts, defineDeciding } from "./define/deciding.ts";
