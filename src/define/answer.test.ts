import { describe, expect, it } from "vitest";
import { z } from "zod";
import { answerSchema } from "./answer.ts";

const claim = { text: "Delivery takes 3 days.", source: "p-1" };

describe("answerSchema", () => {
  it("takes claims with their sources, and what each answers where the question has parts", () => {
    expect(answerSchema().parse([{ ...claim, alsoFrom: ["p-2"] }])).toHaveLength(1);
    expect(answerSchema({ parts: ["delivery"] }).parse([{ ...claim, answers: "delivery", value: "3 days" }])).toHaveLength(1);
  });

  it.each([
    ["no source", [{ text: "x" }]],
    ["an empty source", [{ ...claim, source: "" }]],
    ["a part that the question does not have", [{ ...claim, answers: "price" }]],
    ["too many claims", [claim, claim, claim]],
    ["more than is asked for", [{ ...claim, sure: true }]],
  ])("refuses %s", (_what, claims) => {
    expect(answerSchema({ parts: ["delivery"], mostClaims: 2 }).safeParse(claims).success).toBe(false);
  });

  it("can be shown to a model", () => {
    expect(z.toJSONSchema(answerSchema({ parts: ["delivery"] }))).toMatchObject({ type: "array", maxItems: 6 });
  });
});
