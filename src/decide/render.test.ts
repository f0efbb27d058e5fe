import { describe, expect, it } from "vitest";
import { loaded, passage, projector } from "../../test/decide/samples.ts";
import type { RecordRow } from "../contract/context.ts";
import { renderClaim } from "./render.ts";

const context = loaded(projector, { ...passage, kind: "passage", need: "rules" });
const source = projector.id;

describe("renderClaim", () => {
  it("writes the record's values where the bindings stand, in any spacing, with its citation", () => {
    expect(renderClaim({ text: "{{projector.id}} is {{ projector.state }}, {{projector.state}}.", source }, context)).toEqual({
      kind: "claim",
      claim: { text: "pr-1 is free, free.", source, citation: "projectors.free, read 2026-03-02T09:00:00.000Z" },
    });
  });

  it("cites a passage by title, version and section", () => {
    const rendered = renderClaim({ text: "Rooms open at 07:00.", source: passage.id }, context);
    expect(rendered).toMatchObject({ kind: "claim", claim: { citation: "Room rules 1.2, Opening" } });
  });

  it("drops and names a claim whose source was not retrieved", () => {
    const dropped = { text: "Rooms open at 06:00.", reason: "its source was not retrieved" };
    expect(renderClaim({ text: dropped.text, source: "rooms:9:9" }, context)).toEqual({ kind: "dropped", dropped });
  });

  it.each([
    ["an unknown field", "{{projector.lens}}"],
    ["a need that is not the source's", "{{room.id}}"],
    ["a binding to a passage's claim", "{{rules.text}}"],
    ["an inherited member", "{{projector.toString}}"],
    ["a secret field", "the pin is {{projector.pin}}"],
    ["a half-written binding", "{{projector.state"],
    ["a path that bindings do not have", "{{projector.a.b}}"],
    ["an empty binding", "{{}}"],
  ])("drops a claim with %s", (_what, text) => {
    const from = text.includes("rules") ? passage.id : source;
    expect(renderClaim({ text, source: from }, context)).toEqual({
      kind: "dropped",
      dropped: { text, reason: "a binding does not resolve" },
    });
  });

  it.each(["{{projector.pin}}", "$&$1$$", "{{{{projector.state}}}}"])(
    "leaves a record's value `%s` as the data that it is",
    (remark) => {
      const row: RecordRow = { ...projector, row: { ...projector.row, remark } };
      const rendered = renderClaim({ text: "It says: {{projector.remark}}", source }, loaded(row));
      expect(rendered).toMatchObject({ kind: "claim", claim: { text: `It says: ${remark}` } });
    },
  );

  it.each([
    [7, "7"],
    [false, "false"],
    ["", ""],
  ])("writes the plain value %j", (value, text) => {
    const row: RecordRow = { ...projector, row: { state: value } };
    expect(renderClaim({ text: "{{projector.state}}", source }, loaded(row))).toMatchObject({ claim: { text } });
  });

  it.each([null, [1], { a: 1 }])("drops a binding to %j, which is no text", (value) => {
    const row: RecordRow = { ...projector, row: { state: value } };
    expect(renderClaim({ text: "{{projector.state}}", source }, loaded(row))).toMatchObject({ kind: "dropped" });
  });
});
