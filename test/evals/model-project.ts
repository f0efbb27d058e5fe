import { z } from "zod";
import type { ModelChoice } from "../../src/contract/capability.ts";
import { defineCapability } from "../../src/define/capability.ts";

/** The part of a project that names models: one capability that asks the first, and the second where the first gives no reply. */
export function projectAsking(first: Pick<ModelChoice, "provider" | "id">, second?: Pick<ModelChoice, "provider" | "id">) {
  const choice = (model: Pick<ModelChoice, "provider" | "id">): ModelChoice => ({ ...model, effort: "none", temperature: 0 });
  const triage = defineCapability<{ text: string }, { team: string }>({
    ...{
      name: "triage",
      version: "1",
      owner: "tests",
      description: "Says which team.",
      openTo: ["employee"],
      keepsInputs: false,
    },
    input: z.strictObject({ text: z.string() }),
    decision: z.strictObject({ team: z.string() }),
    needs: () => [],
    deciding: {
      ...{ kind: "prompt", version: "1", model: choice(first) },
      ...(second === undefined ? {} : { second: choice(second) }),
      prompt: ({ inputs }) => ({ system: "Say which team.", messages: [{ role: "user", text: inputs.text }] }),
    },
    checks: [],
    label: ({ team }) => team,
    propose: ({ decision }) => ({ summary: decision.team }),
  });
  return { capabilities: [triage], intakeModel: null };
}
