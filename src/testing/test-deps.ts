import { hash } from "node:crypto";
import type { Capability } from "../contract/capability.ts";
import type { DecisionRecord, DecisionRequest } from "../contract/decision.ts";
import { CountersignError } from "../contract/errors.ts";
import type { Model } from "../contract/model.ts";
import type { Deadline, Digest, Permit } from "../contract/ports.ts";
import { everything, type PolicyRuling, type Principal } from "../contract/principal.ts";
import { neverAutoPpm } from "../contract/words.ts";
import { graph } from "../decide/graph.ts";
import { propose } from "../decide/run.ts";
import type { Deps } from "../decide/state.ts";
import { createTools } from "../decide/tools.ts";
import { fixedClock } from "./fixed.ts";
import { fixedContext } from "./fixed-context.ts";

/** The time at which tests happen unless they say otherwise, in milliseconds since the epoch. */
export const testTime = Date.UTC(2026, 2, 2, 9);

/**
 * Makes what the graph's nodes are given. Digest and time limits are real; the clock stands still, the context is empty, nothing is
 * hidden, no threshold is open and there is no model, unless you hand in your own.
 */
export function createTestDeps({ capability, ...own }: Pick<Deps, "capability"> & Partial<Deps>): Deps {
  const context = own.context ?? fixedContext({});
  return {
    capability,
    environment: "demo",
    clock: fixedClock(testTime),
    deadline: timers,
    digest,
    model: noModel,
    context,
    tools: createTools({ context, permit: own.permit ?? permitByRole }),
    slices: { thresholdPpm: async () => neverAutoPpm },
    permit: permitByRole,
    hiddenValues: { findHidden: async () => [] },
    spans: null,
    canaries: [],
    cancel: { isCancelled: () => false, onCancel: () => {} },
    ...own,
  };
}

/** Makes a request as the door would hand it to the graph: one employee of the tenant `acme`, fixed ids. */
export function testRequest({
  capability,
  inputs,
  ...own
}: Pick<DecisionRequest, "capability" | "inputs"> & Partial<DecisionRequest>): DecisionRequest {
  return {
    decisionId: "00000001-0000-7000-8000-000000000001",
    entryId: "00000001-0000-7000-8000-000000000002",
    principal: testPrincipal,
    capability,
    inputs,
    idempotencyKey: null,
    cause: null,
    ...own,
  };
}

/** Who asks in tests unless they say otherwise. */
export const testPrincipal: Principal = {
  tenant: "acme",
  id: "emp-1",
  roles: ["employee"],
  attributes: {},
  onBehalfOf: null,
  allow: everything,
};

/**
 * Walks a capability through the shipped graph, from inputs to the record that the journal would write. Nothing is written.
 * @example
 * const { proposal } = await proposeForTest({ capability, inputs: { text: "hello" }, deps: { context: fixedContext({}) } });
 */
export function proposeForTest({
  capability,
  inputs,
  request = {},
  deps = {},
}: {
  capability: Capability;
  inputs: unknown;
  request?: Partial<DecisionRequest>;
  deps?: Partial<Deps>;
}): Promise<DecisionRecord> {
  const asked = testRequest({ ...request, capability: capability.name, inputs });
  return propose({ graph, request: asked, deps: createTestDeps({ ...deps, capability }) });
}

const digest: Digest = { sha256: (text) => hash("sha256", text, "hex") };

const timers: Deadline = {
  within: (ms, work) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    }),
};

const noModel: Model = {
  call: async () => {
    throw new CountersignError("definition_invalid", "this test has no model; hand in `model`, such as a `fixedModel`");
  },
};

const permitted = (): PolicyRuling => ({ kind: "permitted", rule: "role", policies: ["role"] });

/** Not the shipped policy: whoever has one of the roles may use a capability, and sees what the roles see. */
const permitByRole: Permit = {
  version: "test-permit",
  scopes: (principal) => principal.roles,
  mayUse: (principal, capability) =>
    principal.roles.some((role) => capability.openTo.includes(role))
      ? { kind: "permitted", rule: "role", policies: ["role"] }
      : { kind: "refused", rule: "role", reason: "none of the principal's roles is open to it", policies: [] },
  mayRead: permitted,
  mayCall: permitted,
  mayPropose: permitted,
};
