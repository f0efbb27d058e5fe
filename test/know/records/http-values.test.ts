import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../src/contract/json.ts";
import { defineHttpQuery, type HttpDefinition } from "../../../src/define/http-query.ts";
import { addressOf } from "../../../src/know/records/http/address.ts";
import { asking } from "./asking.ts";

// What stands in a search or a header narrows an answer; nothing in its place would open it.
const params = z.strictObject({ holder: z.string().nullable(), tags: z.array(z.string()) });
const place = {
  path: "/:tenant/parcels",
  search: { holder: ":holder", team: "t-:team", tags: ":tags" },
  headers: { "x-team": ":team" },
};
const filled = (
  given: JsonObject,
  { team = "red" as unknown, ...more }: Partial<HttpDefinition<unknown, unknown>> & { team?: unknown } = {},
) => {
  const query = defineHttpQuery({
    ...{ name: "q", key: "id", labels: {}, params, row: z.strictObject({ id: z.string() }), ...place },
    scope: { team: () => team as string }, // what a careless function gives
    ...more,
  });
  const all = { holder: "emp-1", tags: ["a", "b"], ...given };
  return addressOf({ baseUrl: new URL("http://127.0.0.1:1"), query, params: all, envelope: asking() });
};

describe("a value in a search or a header", () => {
  test("stands in its place", () => {
    const { url, headers } = filled({ holder: "a,b&c=d" });
    expect(url.search).toBe("?holder=a%2Cb%26c%3Dd&team=t-red&tags=a%2Cb");
    expect(headers).toEqual({ "x-team": "red" });
  });

  test.each([0, false])("may be %s", (team) => {
    expect(filled({}, { team }).headers).toEqual({ "x-team": String(team) });
  });

  test.each<[string, JsonObject, object]>([
    ["nothing", { holder: null }, {}],
    ["an empty text", { holder: "" }, {}],
    ["an empty list", { tags: [] }, {}],
    ["a list with an empty text", { tags: ["a", ""] }, {}],
    ["a list with a comma in it", { tags: ["a,b"] }, {}],
    ["nothing of the envelope", {}, { team: null }],
    ["no roles", {}, { headers: { "x-roles": ":roles", "x-team": ":team" } }],
    ["no scopes", {}, { search: { ...place.search, scopes: ":scopes" } }],
  ])("is refused where it is %s", (_, given, more) => {
    expect(() => filled(given, more)).toThrow(expect.objectContaining({ code: "definition_invalid", facts: { query: "q" } }));
  });
});
