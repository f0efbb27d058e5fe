import { z } from "zod";
import type { DecisionRecord } from "../../src/contract/decision.ts";
import type { Spans } from "../../src/contract/ports.ts";
import { defineCapability } from "../../src/define/capability.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { compatible } from "../../src/gateway/providers/compatible.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { type Answer, openMisbehavingModel, proposeForTest } from "../../src/testing/index.ts";

/** What nobody who watches may see, by where it stands. */
export const secrets = {
  key: "sk-canary-41c07e",
  system: "heron-in-the-system-text",
  message: "otter-in-the-message",
  input: "lynx-in-the-input",
  reply: "stork-in-the-reply",
  refused: "newt-in-a-reply-that-does-not-fit",
  thrown: "vole-in-an-error",
};
const usage = { inputTokens: 40, cachedTokens: 2, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 3 };

/** A reply that says this, or one that does not fit. */
export function replied(note: string): Answer {
  return { kind: "reply", text: JSON.stringify({ days: note === secrets.refused ? "three" : 3, note }), usage };
}

/** A decision over a real server, watched by whoever is told. */
export async function decidedBy({
  answers,
  throws = false,
  spans,
}: {
  answers: readonly Answer[];
  throws?: boolean;
  spans: Spans | null;
}): Promise<DecisionRecord> {
  const server = await openMisbehavingModel({ answers });
  const source = compatible({
    ...{ name: "local", server: "vllm", secret: "MODEL_KEY", constrain: "schema", boundary: "off" },
    baseUrl: `${server.url}/v1`,
  });
  const ports = { clock: systemClock, deadline: systemDeadline, random: () => 0, spans };
  const model = createGateway({ ...ports, providers: [source.open(secrets.key)] });
  try {
    return await proposeForTest({ capability: days(throws), inputs: { text: secrets.input }, deps: { model, spans } });
  } finally {
    await server.close();
  }
}

function days(throws: boolean) {
  return defineCapability<{ text: string }, { days: number; note: string }>({
    name: "days",
    version: "1",
    owner: "tests",
    description: "Says how many days.",
    openTo: ["employee"],
    keepsInputs: true,
    input: z.strictObject({ text: z.string() }),
    decision: z.strictObject({ days: z.int(), note: z.string() }),
    needs: () => [],
    deciding: {
      kind: "prompt",
      version: "1",
      model: { provider: "local", id: "qwen2.5-7b-instruct", effort: "none", temperature: 0, maxOutputTokens: 500 },
      prompt: () => ({ system: secrets.system, messages: [{ role: "user", text: secrets.message }] }),
    },
    checks: [{ name: "is_there", run: () => ({ passed: true, evidence: "it was decided" }) }],
    label: () => "days",
    propose: ({ decision }) => {
      if (throws) throw new Error(secrets.thrown);
      return { summary: decision.note };
    },
  });
}
