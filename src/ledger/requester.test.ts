import { describe, expect, it } from "vitest";
import { everything, nothing } from "../contract/principal.ts";
import { requesterOf } from "./requester.ts";

const proposal = { tenant: "acme", requestedBy: "bot", onBehalfOf: "erin" };
const allow = { capabilities: ["refund"], records: [], documents: [], effects: ["send_mail"] };

describe("requesterOf", () => {
  it("is the principal of then: tenant, whom they asked for, roles and limits, and no attributes", () => {
    expect(requesterOf({ roles: ["agent", 7], allow }, proposal)).toEqual({
      ...{ tenant: "acme", id: "bot", roles: ["agent"], attributes: {}, onBehalfOf: "erin", allow },
    });
  });

  it("is limited to nothing by lists that cannot be read, and by none where none were written", () => {
    expect(requesterOf({ roles: [] }, proposal).allow).toEqual(everything);
    expect(requesterOf({ roles: [], allow: { effects: 7 } }, proposal).allow).toEqual(nothing);
  });
});
