import type { CaseLine, CaseView } from "../contract/case-view.ts";
import { CountersignError } from "../contract/errors.ts";
import { type ConnectionOptions, connect } from "./connection.ts";
import { print } from "./print.ts";

/** Starts a case and says where it stands. */
export async function caseStart(
  { name, input }: { name: string; input: string },
  options: ConnectionOptions & { readonly id?: string },
): Promise<void> {
  const client = await connect(options);
  const started = { case: name, input: parsed(input), ...(options.id === undefined ? {} : { key: options.id }) };
  tell(await client.startCase(started), options);
}

/** Lists cases, one a line. */
export async function caseList(options: ConnectionOptions & { readonly case?: string }): Promise<void> {
  const client = await connect(options);
  const { items: cases } = await client.cases(options.case === undefined ? {} : { case: options.case });
  const lines = cases.length === 0 ? ["there is no case that you may see"] : cases.map(lineOf);
  print({ json: options.json, value: { cases }, lines });
}

/** Says how a case came where it is, and what it waits for. */
export async function caseShow(id: string, options: ConnectionOptions): Promise<void> {
  const client = await connect(options);
  tell(await client.case(id), options);
}

/** Tells a case what happened, and says where it stands. */
export async function caseEvent(
  { id, event, body }: { id: string; event: string; body: string | undefined },
  options: ConnectionOptions & { readonly once?: string },
): Promise<void> {
  const client = await connect(options);
  const once = options.once === undefined ? {} : { idempotencyKey: options.once };
  tell(await client.tellCase(id, { event, body: body === undefined ? {} : parsed(body), ...once }), options);
}

function tell(view: CaseView, { json }: ConnectionOptions): void {
  const moves = view.moves.map(({ place, at, step, from, outcome, kind, code, decisionId }) => {
    const edge = from === null || from === step ? "" : ` from ${from}`;
    const why = [outcome, kind === "entered" ? null : kind, code, decisionId === null ? null : `decision ${decisionId}`];
    const said = why.filter((word) => word !== null).join(", ");
    return `  ${place}. ${new Date(at).toISOString()} ${step}${edge}${said === "" ? "" : ` (${said})`}`;
  });
  const parts = view.parts.map(({ id, name, case: of, state }) => `  part ${name}: ${of}, ${state}, ${id}`);
  const data = view.data === null ? [] : [`data: ${JSON.stringify(view.data)}`];
  print({ json, value: view, lines: [lineOf(view), ...moves, ...parts, ...data] });
}

function lineOf(line: CaseLine): string {
  const { id, case: name, version, key, step, state, outcome, startedBy, deadlineAt } = line;
  const stands = state === "ended" ? `ended: ${outcome}` : `${state} at ${step}, ${waitsFor(line)}`;
  const own = key === id ? "" : ` (${key})`;
  const due = deadlineAt === null ? "" : `, due ${new Date(deadlineAt).toISOString()}`;
  return `${id}${own}  ${name} ${version}, by ${startedBy}: ${stands}${due}`;
}

function waitsFor({ waitsFor: waits, code, owner }: CaseLine): string {
  switch (waits?.kind) {
    case "decision":
      return waits.decisionId === null ? "waits to be decided" : `waits for decision ${waits.decisionId}`;
    case "event": {
      const until = waits.until === null ? [] : [`until ${new Date(waits.until).toISOString()}`];
      return `waits ${[...(waits.events.length === 0 ? [] : [`for ${waits.events.join(" or ")}`]), ...until].join(" ")}`;
    }
    case "cases":
      return "waits for its parts";
    case "person":
      return `left to ${owner} (${code}); an owner's event \`retry\` has the step begun again`;
    default:
      return "is taken up in a moment";
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CountersignError("bad_json", 'that is not JSON; write it like \'{"text":"LT-1045"}\'', { cause });
  }
}
