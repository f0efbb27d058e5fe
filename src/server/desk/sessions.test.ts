import { describe, expect, it } from "vitest";
import { createSessions } from "./sessions.ts";

const person = (id: string) => ({ name: id, principal: { tenant: "acme", id, roles: [], attributes: {}, onBehalfOf: null } });

describe("sessions", () => {
  it("of one person that signs in again and again end that person's own oldest, nobody else's", () => {
    const sessions = createSessions({ now: () => 0 });
    const owner = sessions.begin(person("owner"), "key-o");
    const many = Array.from({ length: 1040 }, () => sessions.begin(person("busy"), "key-b"));
    expect(sessions.find(owner)?.principal.id).toBe("owner");
    expect(many.filter((id) => sessions.find(id) !== undefined)).toEqual(many.slice(-10));
  });
});
