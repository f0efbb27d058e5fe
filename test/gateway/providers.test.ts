import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ProviderFault, ProviderReply, Usage } from "../../src/contract/model.ts";
import { fitReply } from "../../src/gateway/fit.ts";
import { parseStrictJson } from "../../src/gateway/parse.ts";
import {
  type Answers,
  answerOf,
  cancelSwitch,
  type MisbehavingModel,
  type MisbehaviourName,
  misbehaviourNames,
  misbehaviours,
  openMisbehavingModel,
} from "../../src/testing/index.ts";
import { canaryKey, goodText, requestFor, type Way, ways } from "./provider-ways.ts";

const days = z.strictObject({ days: z.int().min(0).max(30), note: z.string().max(200) });
const opened: MisbehavingModel[] = [];
afterEach(async () => {
  for (const model of opened.splice(0)) await model.close();
});

async function serve(answers: Answers): Promise<MisbehavingModel> {
  const model = await openMisbehavingModel({ answers });
  opened.push(model);
  return model;
}

function providerAt(way: Way, { url }: MisbehavingModel) {
  return way.source(`${url}/v1`).open(canaryKey);
}

/** What became of a reply in the end: the fault, the reason of the stop, or whether its text fits. */
async function outcomeOf(reply: ProviderReply | ProviderFault): Promise<string> {
  if ("fault" in reply) return reply.fault;
  if (reply.stopReason !== "end") return reply.stopReason;
  const json = parseStrictJson(reply.text);
  return json.kind === "refused" ? "misfits" : (await fitReply(days, json.value)).kind;
}

const misfit = ["misfits", "unusable"];
const none = ["misfits", "unusable", "cut_off"];
const begun = ["cut_off", "unusable", "overloaded"];

/** What each misbehaviour may become; where there are several, the protocols and streaming differ. Nothing spoiled ever fits. */
const expected: Readonly<Record<MisbehaviourName, readonly string[]>> = {
  ...{ well_behaved: ["fits"], tiny_pieces: ["fits"], dripped: ["fits"], wrong_content_type: ["fits"] },
  ...{ usage_missing: ["fits", "unusable"], usage_absurd: ["fits", "unusable"] },
  ...{ wrong_shape: misfit, prose_around: misfit, code_fence: misfit, two_replies: misfit, cut_json: misfit },
  ...{ cut_character: misfit, cut_escape: misfit, lone_surrogate: misfit, escaped_nul: misfit, duplicate_keys: misfit },
  ...{ prototype_key: misfit, not_a_number: misfit, huge_integer: misfit, long_string: misfit, deep_nesting: misfit },
  ...{ trailing_comma: misfit, python_words: misfit, empty_text: misfit, big_reply: misfit, no_choice: none, no_content: none },
  // Anthropic has no word of its own for a filter, and JSON that is cut there cuts the body around it.
  ...{
    length_cut: ["length", "unusable"],
    content_filter: ["filter", "refusal", "unusable"],
    refusal: ["refusal", "misfits"],
    unknown_stop: ["unusable"],
  },
  ...{ rate_limited_seconds: ["rate_limited"], rate_limited_date: ["rate_limited"], rate_limited_ms: ["rate_limited"] },
  ...{ rate_limited: ["rate_limited"], server_error: ["overloaded"], unavailable: ["overloaded"], overloaded: ["overloaded"] },
  ...{ key_refused: ["refused_key"], request_refused: ["refused_request"], redirected: ["refused_request"] },
  ...{ not_json: ["unusable"], other_json: ["unusable"], html: ["unusable"], packed: ["unusable"], many_encodings: ["unusable"] },
  ...{ malformed_event: ["unusable", "cut_off"] },
  ...{ no_final_event: begun, error_event: begun, dropped_before_headers: ["unreachable"], dropped_in_body: begun },
  ...{ slow_drip: ["cancelled"], stalled_before_headers: ["cancelled"], stalled_after_headers: ["cancelled"] },
  ...{ stalled_in_body: ["cancelled", "fits"], endless_reply: ["cancelled", "unusable"] },
};

describe.each(ways.map((way) => [way.title, way] as const))("%s", (_, way) => {
  it("gives the text as it came, and every token counted once", async () => {
    const usage: Usage = {
      inputTokens: 5,
      cachedTokens: 128_955,
      cacheWriteTokens: 1_253,
      outputTokens: 7,
      reasoningTokens: 3,
    };
    const model = await serve([{ kind: "reply", text: goodText, usage }]);
    const reply = await providerAt(way, model).complete(requestFor(way.model), cancelSwitch().cancel);
    // Anthropic sends a tool's input as JSON inside JSON, which is written anew when it comes whole.
    const isRewritten = way.protocol === "messages" && way.constrain === "tool" && !way.stream;
    const text = isRewritten ? JSON.stringify(JSON.parse(goodText)) : goodText;
    expect(reply).toEqual({ text, usage, stopReason: "end" });
  });

  it("ends every misbehaviour in a typed result, by one request, without a word of the key", async () => {
    const model = await serve(({ body: _body }, place) => {
      const name = misbehaviourNames[place] ?? "well_behaved";
      return answerOf({ name, seed: place, good: goodText });
    });
    const provider = providerAt(way, model);
    const strange: unknown[] = [];
    for (const [place, name] of misbehaviourNames.entries()) {
      const { cancel, fire } = cancelSwitch();
      const asked = provider.complete(requestFor(way.model), cancel);
      if (!misbehaviours[name].ends) await model.received(place + 1).then(fire);
      const reply = await asked;
      const outcome = await outcomeOf(reply);
      if (!expected[name].includes(outcome)) strange.push({ name, outcome, reply: JSON.stringify(reply).slice(0, 300) });
      expect(model.requests.length).toBe(place + 1);
      expect(inspect(reply, { depth: null })).not.toContain(canaryKey);
    }
    expect(strange).toEqual([]);
  });
});
