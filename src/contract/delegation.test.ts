import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutTo, type Licence } from "./delegation.ts";
import { type AllowLists, everything, isListed } from "./principal.ts";

const word = fc.constantFrom("a", "b", "c", "d", "e");
const list = fc.oneof(fc.constant("all" as const), fc.uniqueArray(word));
const lists: fc.Arbitrary<AllowLists> = fc.record({ capabilities: list, records: list, documents: list, effects: list });
const licence: fc.Arbitrary<Licence> = fc.record({ roles: fc.uniqueArray(word), allow: lists });
const kinds = ["capabilities", "records", "documents", "effects"] as const;

describe("what is cut to somebody's licence", () => {
  it("holds what both hold, and nothing else", () => {
    fc.assert(
      fc.property(licence, licence, word, (own, most, name) => {
        const cut = cutTo(own, most);
        expect(cut.roles.includes(name)).toBe(own.roles.includes(name) && most.roles.includes(name));
        for (const kind of kinds)
          expect(isListed(cut.allow[kind], name)).toBe(isListed(own.allow[kind], name) && isListed(most.allow[kind], name));
      }),
    );
  });

  it("is cut no further by the same again, nor by everything", () => {
    fc.assert(
      fc.property(licence, licence, (own, most) => {
        const cut = cutTo(own, most);
        expect(cutTo(cut, most)).toEqual(cut);
        expect(cutTo(own, { roles: own.roles, allow: everything })).toEqual(own);
      }),
    );
  });
});
