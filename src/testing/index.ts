/** Helpers for authors of capabilities and for tests. Holds fakes that say that they are fakes. */
export { type FakeJournal, fakeJournal } from "./fake-journal.ts";
export { cancelSwitch, countingIds, type FixedClock, fixedClock, impatientDeadline } from "./fixed.ts";
export { type FixedContext, type FixedItems, fixedContext } from "./fixed-context.ts";
export { type ScriptLine, scriptedProvider } from "./scripted-provider.ts";
export { createTestDeps, proposeForTest, testPrincipal, testRequest, testTime } from "./test-deps.ts";
