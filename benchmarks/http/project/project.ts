/** What is decided here: a model words a note, and nothing is changed by it. Pure: both processes load it. */
import { z } from "zod";
import { defineCapability } from "../../../src/define/capability.ts";
import { defineProject } from "../../../src/define/project.ts";

/** The name that clients ask for. */
export const capabilityName = "word_note";

const input = z.strictObject({ text: z.string().min(1).max(200) });
const decision = z.strictObject({ note: z.string().max(200) });

const capability = defineCapability<z.infer<typeof input>, z.infer<typeof decision>>({
  name: capabilityName,
  version: "1",
  owner: "benchmark",
  description: "Words a note.",
  openTo: ["employee"],
  input,
  decision,
  needs: () => [],
  deciding: {
    kind: "prompt",
    version: "1",
    model: { provider: "scripted", id: "instant-1", effort: "none", temperature: 0 },
    prompt: ({ inputs }) => ({ system: "Reply with the note as JSON.", messages: [{ role: "user", text: inputs.text }] }),
  },
  checks: [],
  label: () => "worded",
  propose: ({ decision: { note } }) => ({ summary: `Noted: ${note}` }),
});

/** @public Both processes load it by its file's name. */
// biome-ignore lint/style/noDefaultExport: processes load a project by the default export of its entry files
export default defineProject({ name: "http-benchmark", capabilities: [capability] });
