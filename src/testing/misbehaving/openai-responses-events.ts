import type { Turn } from "./protocol.ts";
import { quoted, type StreamEvent, type Wire, type WireObject } from "./wire.ts";

/** The parts of a response as its stream tells them. */
export interface ResponseParts {
  readonly turn: Turn;
  readonly item: WireObject | null;
  readonly thought: WireObject | null;
  readonly response: WireObject;
}

type Untold = WireObject & { readonly type: string };

/** The events of a streamed response, in the order and with the numbers that the real server sends. */
export function responseEvents({ turn, item, thought, response }: ResponseParts): readonly StreamEvent[] {
  const begun = { ...response, status: "in_progress", incomplete_details: null, output: [], usage: null };
  const place = thought === null ? 0 : 1;
  const untold: readonly Untold[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...(thought === null ? [] : itemEvents({ place: 0, empty: thought, full: thought, inner: [] })),
    ...(item === null ? [] : told({ turn, item, place })),
    { type: `response.${String(response["status"])}`, response },
  ];
  return untold.map((data, at) => ({
    name: data.type,
    data: { ...data, sequence_number: at },
    isFinal: at === untold.length - 1,
  }));
}

function told({ turn, item, place }: { turn: Turn; item: WireObject; place: number }): readonly Untold[] {
  const at = { item_id: item["id"], output_index: place };
  if (item["type"] === "function_call") {
    const inner = [...spoken({ type: "response.function_call_arguments", key: "arguments", at, turn })];
    return itemEvents({ place, empty: { ...item, status: "in_progress", arguments: "" }, full: item, inner });
  }
  const empty = { ...item, status: "in_progress", content: [] };
  if (turn.said.kind === "nothing") return itemEvents({ place, empty, full: item, inner: [] });
  return itemEvents({ place, empty, full: item, inner: partEvents({ turn, item, at: { ...at, content_index: 0 } }) });
}

function partEvents({ turn, item, at }: { turn: Turn; item: WireObject; at: WireObject }): readonly Untold[] {
  const key = turn.said.kind === "refusal" ? "refusal" : "text";
  const part = Object(Array.isArray(item["content"]) ? item["content"][0] : null);
  return [
    { type: "response.content_part.added", ...at, part: { ...part, [key]: "" } },
    ...spoken({ type: key === "refusal" ? "response.refusal" : "response.output_text", key, at, turn }),
    { type: "response.content_part.done", ...at, part },
  ];
}

function spoken({ type, key, at, turn }: { type: string; key: string; at: WireObject; turn: Turn }): readonly Untold[] {
  const { pieces } = turn.text;
  const logprobs = key === "text" ? [] : undefined;
  return [
    ...pieces.map((piece) => ({ type: `${type}.delta`, ...at, delta: quoted(piece), logprobs })),
    { type: `${type}.done`, ...at, [key]: quoted(Buffer.concat(pieces)), logprobs },
  ];
}

function itemEvents(around: { place: number; empty: Wire; full: Wire; inner: readonly Untold[] }): readonly Untold[] {
  const { place, empty, full, inner } = around;
  return [
    { type: "response.output_item.added", output_index: place, item: empty },
    ...inner,
    { type: "response.output_item.done", output_index: place, item: full },
  ];
}
