import { policyTexts } from "../../src/cli/open-policies.ts";
import { openPolicy } from "../../src/guard/policy/policy.ts";
import { type DeskHouse, keyOf } from "./desk-house.ts";

export type Name = Parameters<typeof keyOf>[0];

/** The shipped policies, and one by which nobody reviews what `cleo` asked for: who audits still sees it. */
export function policyWithout() {
  const text = `@id("not_of_cleo")
@refusal("what cleo asks for is no reviewer's")
forbid (principal, action == Action::"reviewDecision", resource) when { resource.requestedBy == "cleo" };`;
  return openPolicy({ texts: [...policyTexts(), { file: "cleo.cedar", text }] });
}

/** Calls a house's API as its people. */
export function callerOf(house: () => DeskHouse) {
  const call = async (as: Name, path: string, body?: unknown) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${keyOf(as)}` };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${house().url}/v1${path}`, init);
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  const rest = async (as: Name, path: string, cursor: string) => {
    const { status, json } = await call(as, cursor === "" ? path : `${path}&cursor=${cursor}`);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(json)}`);
    return json;
  };
  const pagesFrom = async (as: Name, path: string, cursor: string): Promise<Awaited<ReturnType<typeof rest>>["items"][]> => {
    const { items, next } = await rest(as, path, cursor);
    return next === null ? [items] : [items, ...(await pagesFrom(as, path, next))];
  };
  return {
    call,
    /** Has somebody ask for a note to be kept; gives the decision's id. */
    waiting: async (as: Name, text: string): Promise<string> => {
      const { status, json } = await call(as, "/decisions", { capability: "keep_notes", inputs: { text } });
      if (status !== 201) throw new Error(`${status}: ${JSON.stringify(json)}`);
      return json.id;
    },
    /** All pages of a list that is asked for with a question. */
    pages: (as: Name, path: string) => pagesFrom(as, path, ""),
  };
}
