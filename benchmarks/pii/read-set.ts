import * as z from "zod";
import { readLines, setFile } from "../schema/read-lines.ts";

const textForm = z.object({
  id: z.string(),
  text: z.string(),
  template_id: z.number().int(),
  spans: z.array(z.object({ type: z.string(), start_utf16: z.number().int(), end_utf16: z.number().int() })),
});

/** One text with what stands in it; ranges in UTF-16 units. */
export interface LabelledCase {
  readonly text: string;
  readonly template: number;
  readonly spans: readonly { readonly type: string; readonly start: number; readonly end: number }[];
}

/** Reads a split of the set; `null` where it is not there. */
export async function readSet(data: string, split: "open" | "held"): Promise<readonly LabelledCase[] | null> {
  const lines = await readLines(setFile(data, { set: "presidio-pii", split, file: "synth_v2.jsonl" }), textForm);
  return (
    lines?.map(({ text, template_id: template, spans }) => ({
      ...{ text, template },
      spans: spans.map(({ type, start_utf16: start, end_utf16: end }) => ({ type, start, end })),
    })) ?? null
  );
}
