/** The public API for authors of `project.ts`: definitions and the words they use. Pure. */
export type { Capability, Decided, Informed, ModelChoice, Prompt } from "./contract/capability.ts";
export type { Connector, RecordQuery } from "./contract/connector.ts";
export type { Context, LoadedContext, Need, Passage, RecordRow } from "./contract/context.ts";
export { passagesOf, rowsOf } from "./contract/context.ts";
export type { AnyEffect, Effect, Snapshot } from "./contract/effect.ts";
export { CountersignError, type ErrorCode, errorCodes } from "./contract/errors.ts";
export type { Json, JsonObject } from "./contract/json.ts";
export type { HiddenSearch } from "./contract/ports.ts";
export type { Envelope, Principal } from "./contract/principal.ts";
export type { Claim, Proposal, ProposedEffect, Source } from "./contract/proposal.ts";
export { defineCapability } from "./define/capability.ts";
export { defineConnector, hiddenValuesSource, recordSource } from "./define/connector.ts";
export { defineEffect, effectDraft } from "./define/effect.ts";
export { defineProject, type Project } from "./define/project.ts";
export { defineSandbox, type Sandbox } from "./define/sandbox.ts";
export { from } from "./define/source.ts";
