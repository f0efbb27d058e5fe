import { type Answer, plainUsage, type Said } from "./answers.ts";
import { sentText } from "./pieces.ts";
import { idAt, type Protocol, type Turn } from "./protocol.ts";
import { type StreamEvent, type WireObject, writeEvent, writeJson } from "./wire.ts";

/** A request that one of the protocols understands. */
export interface Asked {
  readonly protocol: Protocol;
  readonly body: WireObject;
  readonly isStreaming: boolean;
  /** Which request of the server it is, from 0. */
  readonly place: number;
  /** The key that came with it, for the answer that quotes it; kept nowhere. */
  readonly key: string;
}

/** What is said, as the frames of one body: the events of a stream, or the whole. */
export function speak(asked: Asked, said: Said): readonly Buffer[] {
  const turn = turnOf(asked, said);
  return asked.isStreaming ? asked.protocol.events(turn).map(writeEvent) : [writeJson(asked.protocol.whole(turn))];
}

/** The same, spoiled in one of the ways that belong to streams. */
export function speakBroken(asked: Asked, { how, of }: Extract<Answer, { kind: "broken" }>): readonly Buffer[] {
  const error = asked.protocol.errorEvent("the server has failed in the middle of a reply");
  if (!asked.isStreaming) {
    if (how === "error_event") return [writeJson(error.data)];
    return speak(asked, of).map(half);
  }
  const events = asked.protocol.events(turnOf(asked, of));
  const unfinished = events.filter((event) => !event.isFinal);
  const middle = Math.floor(unfinished.length / 2);
  if (how === "no_final_event") return unfinished.map(writeEvent);
  if (how === "error_event") return [...unfinished.slice(0, middle), error].map(writeEvent);
  return events.map((event, at) => writeEvent(at === middle ? cut(event) : event));
}

function turnOf({ protocol, body, place }: Asked, said: Said): Turn {
  return {
    said,
    text: sentText(said),
    tool: protocol.toolOf(body),
    usage: said.usage === undefined ? plainUsage : said.usage,
    model: typeof body["model"] === "string" ? body["model"] : "",
    id: idAt(place),
    wantsUsage: Object(body["stream_options"]).include_usage === true,
  };
}

function cut(event: StreamEvent): StreamEvent {
  return { ...event, data: half(writeJson(event.data)) };
}

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}
