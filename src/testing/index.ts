/** Helpers for authors of capabilities and for tests. Holds fakes that say that they are fakes. */
export { type EmbedderRule, embedderRules } from "./embedder-conformance.ts";
export { type FakeJournal, fakeJournal } from "./fake-journal.ts";
export { cancelSwitch, countingIds, type FixedClock, fixedClock, impatientDeadline } from "./fixed.ts";
export { type FixedContext, type FixedItems, fixedContext } from "./fixed-context.ts";
export { type FixedModel, fixedModel } from "./fixed-model.ts";
export { hashedEmbedder } from "./hashed-embedder.ts";
export { answerOf, plainReply, type WhichAnswer } from "./misbehaving/answer-of.ts";
export {
  type Answer,
  type Nothing,
  plainUsage,
  type Refusal,
  type Reply,
  type RetryAfter,
  type Said,
} from "./misbehaving/answers.ts";
export { type MisbehaviourName, misbehaviourNames, misbehaviours } from "./misbehaving/misbehaviours.ts";
export { type Answers, type MisbehavingModel, openMisbehavingModel } from "./misbehaving/open-misbehaving-model.ts";
export type { ReceivedRequest } from "./misbehaving/receive.ts";
export { type RecogniserRule, recogniserRules } from "./recogniser-conformance.ts";
export { type ScriptedReply, type ScriptLine, scriptedProvider } from "./scripted-provider.ts";
export { createTestDeps, proposeForTest, testPrincipal, testRequest, testTime } from "./test-deps.ts";
