import { describe, expect, it } from "vitest";
import { lend, loaded, passage, projector } from "../../test/decide/samples.ts";
import type { LoadedContext } from "../contract/context.ts";
import type { Json } from "../contract/json.ts";
import type { SourceClaim } from "../contract/proposal.ts";
import { from } from "../define/source.ts";
import { testPrincipal } from "../testing/index.ts";
import { sourcesOf } from "./sources.ts";

const byModel = { kind: "model", chosenBy: "model", ref: null, at: null };
const inputs = { text: "Lend me LT-1042 for 10 days, not £820,000", days: 10, nested: { "a/b": "x" } };
const system = loaded({ ...projector, row: { id: "pr-1" }, labels: { id: "system" } });

describe("sourcesOf", () => {
  it("keeps what the named record holds, and what a person or code chose", () => {
    expect(source("pr-1", from.record(projector, "/id"))).toEqual({ ...from.record(projector, "/id"), untrustedInContext: true });
    expect(source("emp-1", from.requester())).toMatchObject({ kind: "principal", chosenBy: "code" });
    expect(source(10, from.principal("/days"))).toMatchObject({ kind: "principal", chosenBy: "principal" });
    expect(source("x", from.principal("/nested/a~1b"))).toMatchObject({ kind: "principal" });
    expect(source("LT-1042", from.principal("/text"))).toMatchObject({ kind: "principal" });
    expect(source("replacement", from.constant())).toMatchObject({ kind: "constant", chosenBy: "code" });
    expect(source(3, from.calculation("count"))).toMatchObject({ kind: "calculation", ref: "count" });
  });

  it.each<[string, Json, SourceClaim | undefined]>([
    ["no claim", "pr-1", undefined],
    ["a value that differs from the record's", "pr-2", from.record(projector, "/id")],
    ["a field that the record does not have", "pr-1", from.record(projector, "/serial")],
    ["a number where the record holds text", 1, from.record({ ...projector, row: { id: "1" } }, "/id")],
    ["a record that was not loaded", "pr-1", from.record({ ...projector, id: "projectors.free:pr-9" }, "/id")],
    ["a passage as the record", "Rooms open at 07:00.", { ...from.record(projector, "/text"), ref: passage.id }],
    ["a passage that is no field", "07:00", { kind: "passage", chosenBy: "code", ref: passage.id, at: "/text" }],
    ["an inherited member", "x", from.record(projector, "/toString")],
    ["what the principal never wrote", "LT-9", from.principal("/text")],
    ["a part of an id that the principal wrote", "LT-10", from.principal("/text")],
    ["a part of a number that the principal wrote", "82", from.principal("/text")],
    ["an empty span", "", from.principal("/text")],
    ["a number that stands as text", 10, from.principal("/text")],
    ["a part of the principal's id", "emp", from.requester()],
    ["a part of the request that has no name", "x", { ...from.principal("/text"), ref: "somewhere" }],
  ])("makes of %s the model's own value", (_what, value, claim) => {
    expect(source(value, claim)).toEqual({ ...byModel, untrustedInContext: true });
  });

  it.each([
    ["/remark", "call me", "third"],
    ["/shelf", "B", "shared"],
    ["/colour", "red", "unlabelled"],
    ["/constructor", "Beamline", "unlabelled, and named like a member of every object"],
  ])("makes `third_party` of the field %s, which is %s", (at, value) => {
    expect(source(value, from.record(projector, at))).toMatchObject({ kind: "third_party", ref: projector.id, at });
  });

  it.each(["record", "directory", "fact", "passage"] as const)(
    "lets no capability claim that a field of outsiders is a %s",
    (kind) => {
      expect(source("call me", { ...from.record(projector, "/remark"), kind })).toMatchObject({ kind: "third_party" });
      expect(source("pr-1", { ...from.record(projector, "/id"), kind })).toMatchObject({ kind: "record" });
      expect(source("emp-9", { ...from.record(projector, "/keeper"), kind })).toMatchObject({ kind: "directory" });
    },
  );

  it("lets a capability distrust more than the label does", () => {
    expect(source("pr-1", { ...from.record(projector, "/id"), kind: "third_party" })).toMatchObject({ kind: "third_party" });
  });

  it("says of a value of the model that the model chose it, whatever is claimed", () => {
    expect(source("x", { ...from.model(), chosenBy: "code" })).toMatchObject({ kind: "model", chosenBy: "model" });
  });

  it("says whether outsiders' text was in the context", () => {
    const claim = { ...from.constant() };
    expect(source("x", claim, system)).toMatchObject({ untrustedInContext: false });
    expect(source("x", claim, loaded(...system.items, { ...passage, kind: "passage", need: "rules" }))).toMatchObject({
      untrustedInContext: true,
    });
    expect(source("x", claim, loaded(projector))).toMatchObject({ untrustedInContext: true });
  });

  it("names a source for each leaf, deep ones and odd keys included", () => {
    const draft = { effect: lend.erased, params: { "a/b": [1, { "~": null }] }, sources: { "/a~1b/0": from.constant() } };
    const found = sourcesOf({ draft, inputs, principal: testPrincipal, context: system });
    expect(Object.entries(found).map(([at, { kind }]) => [at, kind])).toEqual([
      ["/a~1b/0", "constant"],
      ["/a~1b/1/~0", "model"],
    ]);
  });
});

const everything = loaded(projector, { ...passage, kind: "passage", need: "rules" });

function source(value: Json, claim: SourceClaim | undefined, context: LoadedContext = everything) {
  const items =
    claim?.ref === projector.id && value === 1
      ? loaded({ ...projector, row: { id: "1" } }, ...everything.items.slice(1))
      : context;
  const draft = { effect: lend.erased, params: { value }, sources: claim === undefined ? {} : { "/value": claim } };
  return sourcesOf({ draft, inputs, principal: testPrincipal, context: items })["/value"];
}
