import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { type DeskHouse, keyOf, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse();
});
afterAll(() => house?.close());

const rows = async (text: string, values: readonly unknown[] = []) => (await house.owner.query(text, [...values])).rows;
const clientOf = (name: "ada" | "ben") => createClient({ baseUrl: house.url, apiKey: keyOf(name) });

describe("a session over HTTP", () => {
  it("goes through the desk to the decision's entry, for both of an ask", async () => {
    const asked = await clientOf("ada").ask({ text: "a note", session: "tab-1.2_x" });
    expect(asked.kind).toBe("decided");
    const entries = "select capability, body::json ->> 'session' as session from countersign.entry order by capability";
    expect(await rows(entries)).toEqual(["intake", "keep_notes"].map((capability) => ({ capability, session: "tab-1.2_x" })));
  });

  it("is left out where none is named", async () => {
    const asked = await clientOf("ben").ask({ text: "a note of ben" });
    const id = asked.kind === "decided" ? asked.decision.id : "";
    expect(await rows("select body from countersign.entry where decision_id = $1 and body like '%session%'", [id])).toEqual([]);
  });

  it.each(["", "a b", "tab/1", "-tab", "ä", "x".repeat(101), "a,b"])("is refused in a wrong form: %j", async (session) => {
    await expect(clientOf("ada").ask({ text: "a note", session })).rejects.toMatchObject({ code: "bad_request" });
    const headers = { authorization: `Bearer ${keyOf("ada")}`, "content-type": "application/json" };
    const send = () =>
      fetch(`${house.url}/v1/ask`, {
        method: "POST",
        headers: { ...headers, "countersign-session": session },
        body: JSON.stringify({ text: "a note" }),
      });
    if (session === "ä") return;
    expect((await send()).status).toBe(400);
  });
});
