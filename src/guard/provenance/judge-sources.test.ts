import { describe, expect, it } from "vitest";
import type { ParamRule } from "../../contract/effect.ts";
import type { Json } from "../../contract/json.ts";
import type { Source } from "../../contract/proposal.ts";
import { judgeSources } from "./judge-sources.ts";

const fromCode: Source = { kind: "record", chosenBy: "code", ref: "r", at: "/id", untrustedInContext: true };
const fromModel: Source = { kind: "record", chosenBy: "model", ref: "r", at: "/id", untrustedInContext: true };

function judge(params: Json, sources: Record<string, Source>, paramRules: Record<string, ParamRule>) {
  return judgeSources({ effect: { paramRules }, proposedEffect: { params, sources } });
}

describe("judgeSources", () => {
  const target: ParamRule = { class: "target", sources: ["record", "principal"] };

  it("permits a target that code chose from a record", () => {
    expect(judge({ device: "d1" }, { "/device": fromCode }, { device: target }).kind).toBe("permitted");
  });

  it.each(["target", "selector", "amount", "param", "secret"] as const)(
    "refuses a %s that a model chose after it had read untrusted text, and permits it where all text was trusted",
    (name) => {
      const rules = { device: { class: name, sources: ["record"] } } satisfies Record<string, ParamRule>;
      expect(judge({ device: "d1" }, { "/device": fromModel }, rules)).toMatchObject({
        kind: "refused",
        rule: "source_not_trusted",
      });
      expect(judge({ device: "d1" }, { "/device": { ...fromModel, untrustedInContext: false } }, rules).kind).toBe("permitted");
    },
  );

  it("lets a model write content where the effect allows it", () => {
    const model: Source = { kind: "model", chosenBy: "model", ref: null, at: null, untrustedInContext: true };
    expect(judge({ note: "x" }, { "/note": model }, { note: { class: "content", sources: ["model"] } }).kind).toBe("permitted");
    expect(judge({ note: "x" }, { "/note": model }, { note: { class: "content", sources: ["principal"] } }).kind).toBe("refused");
  });

  it("never fills a target from a passage, even where the effect declares it", () => {
    const passage: Source = { kind: "passage", chosenBy: "code", ref: "p", at: null, untrustedInContext: true };
    expect(judge({ to: "x" }, { "/to": passage }, { to: { class: "target", sources: ["passage"] } }).kind).toBe("refused");
  });

  it("takes an undeclared param for a target that only the principal fills", () => {
    expect(judge({ force: true }, { "/force": fromCode }, {}).kind).toBe("refused");
    expect(judge({ force: true }, { "/force": { ...fromCode, kind: "principal" } }, {}).kind).toBe("permitted");
    expect(judge({ constructor: true }, { "/constructor": fromCode }, {}).kind).toBe("refused");
  });

  it("refuses a leaf without a source, at any depth, and names it", () => {
    const ruling = judge({ device: { a: "1", "b/c": ["2"] } }, { "/device/a": fromCode }, { device: target });
    expect(ruling).toMatchObject({ kind: "refused", reason: "`/device/b~1c/0` has no source" });
  });

  it("asks for a source of an empty list too", () => {
    expect(judge({ device: [] }, {}, { device: target }).kind).toBe("refused");
  });

  it("refuses params that are no object", () => {
    expect(judge(["x"], {}, {}).kind).toBe("refused");
    expect(judge(null, {}, {}).kind).toBe("refused");
  });
});
