/** Helpers for authors of capabilities and for tests. Holds fakes that say that they are fakes. */
export { countingIds, fixedClock, type FixedClock } from "./fixed.ts";
export { type ScriptLine, scriptedProvider } from "./scripted-provider.ts";
