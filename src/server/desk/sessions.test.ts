import { describe, expect, it } from "vitest";
import { everything } from "../../contract/principal.ts";
import { createSessions } from "./sessions.ts";

const person = (id: string) => ({
  name: id,
  principal: { tenant: "acme", id, roles: [], attributes: {}, onBehalfOf: null, allow: everything },
  scopes: [],
  keyId: null,
  rolesFrom: "account" as const,
});

describe("sessions", () => {
  it("of one person that signs in again and again end that person's own oldest, nobody else's", () => {
    const sessions = createSessions({ now: () => 0 });
    const owner = sessions.begin(person("owner"));
    const many = Array.from({ length: 1040 }, () => sessions.begin(person("busy")));
    expect(sessions.find(owner)?.principal.id).toBe("owner");
    expect(many.filter((id) => sessions.find(id) !== undefined)).toEqual(many.slice(-10));
  });
});
