/** What the deciders of the kill suite decide about: two capabilities, a script in a model's place, and a few records. */
import type { Capability } from "../../src/contract/capability.ts";
import type { Context } from "../../src/contract/context.ts";
import type { Model } from "../../src/contract/model.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { fixedContext, scriptedProvider } from "../../src/testing/index.ts";
import { answerRooms, goodLoan, lendProjector, passage, projector } from "../decide/samples.ts";
import type { PlannedDecision } from "./decider-plan.ts";

/** What a planned decision needs of its surroundings. */
export interface World {
  readonly capabilities: Readonly<Record<PlannedDecision["does"], Capability>>;
  readonly model: Model;
  readonly context: Context;
}

/** Opens the world; its records were read just now. To lend takes two replies, to answer one, and a babbler never fits. */
export function openWorld(): World {
  const readAt = systemClock.now();
  const lines = [
    { purpose: "decide", when: /^lend/, replies: ["not yet JSON", JSON.stringify(goodLoan)] },
    { purpose: "decide", when: /^answer/, replies: [JSON.stringify({ claims: [{ text: passage.text, source: passage.id }] })] },
    { purpose: "decide", when: /^babble/, replies: ["I would rather talk about the weather."] },
  ] as const;
  return {
    capabilities: { lend: lendProjector(), answer: answerRooms(), babble: lendProjector() },
    model: createGateway({
      clock: systemClock,
      deadline: systemDeadline,
      random: Math.random,
      providers: [scriptedProvider({ name: "scripted", lines })],
    }),
    context: fixedContext({
      passages: { rules: [passage] },
      records: {
        "projectors.free": [{ ...projector, readAt }],
        "projectors.byId": [{ ...projector, row: { id: "pr-1", lent_to: null }, readAt }],
        "rooms.all": [{ id: "rooms.all:r1", row: { id: "r1" }, labels: { id: "system" }, readAt }],
      },
    }),
  };
}
