import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fact } from "../../../src/contract/fact.ts";
import { everything } from "../../../src/contract/principal.ts";
import { type FactHouse, openFactHouse, type Told } from "./fact-house.ts";

const from = Date.UTC(2020, 0, 1);
const at = Date.UTC(2026, 0, 1);

let house: FactHouse;
beforeAll(async () => {
  house = await openFactHouse();
});
afterAll(() => house?.close());

const link = (subject: string, predicate: string, object: string, own: Partial<Told> = {}): Told => ({
  ...{ subject, predicate, object, validFrom: from, validTo: null },
  ...own,
});
const shown = (facts: readonly Fact[]) => facts.map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`);

/** From an employee over the department and its application to the data and the policy. */
const chain = (p: string, own: readonly Partial<Told>[] = []) => [
  link(`${p}:e`, "department", `${p}:d`, own[0]),
  link(`${p}:d`, "uses", `${p}:app`, own[1]),
  link(`${p}:app`, "holds", `${p}:data`, own[2]),
  link(`${p}:data`, "under", `${p}:policy`, own[3]),
];

describe("a walk along relations", () => {
  it("finds what is reached in the asked number of steps, each with the facts that lead to it", async () => {
    await house.write(chain("a"));
    const found = await house.ask({ subject: "a:e", at, steps: 4 });
    expect(shown(found)).toEqual(["a:e department a:d", "a:d uses a:app", "a:app holds a:data", "a:data under a:policy"]);
    expect(found.map(({ path }) => path)).toEqual(found.map((_, i) => found.slice(0, i + 1).map(({ id }) => id)));
    expect(await house.ask({ subject: "a:e", at, steps: 2 })).toHaveLength(2);
    expect(await house.ask({ subject: "a:e", at })).toHaveLength(1);
  });

  it("goes along the named predicates alone, and never on from a value", async () => {
    await house.write([...chain("b"), link("b:e", "title", "b:d"), link("b:x", "title", "b:y"), link("b:y", "uses", "b:z")]);
    const asked = { subject: "b:e", at, steps: 6 } as const;
    expect(shown(await house.ask({ ...asked, predicates: ["department", "uses"] }))).toEqual([
      "b:e department b:d",
      "b:d uses b:app",
    ]);
    expect(shown(await house.ask({ ...asked, subject: "b:x" }))).toEqual(["b:x title b:y"]);
  });

  it("ends where it was before: a ring, an entity that names itself", async () => {
    await house.write([
      link("c:1", "uses", "c:2"),
      link("c:2", "uses", "c:3"),
      link("c:3", "uses", "c:1"),
      link("c:9", "uses", "c:9"),
    ]);
    expect(shown(await house.ask({ subject: "c:1", at, steps: 6 }))).toEqual(["c:1 uses c:2", "c:2 uses c:3"]);
    expect(shown(await house.ask({ subject: "c:9", at, steps: 6 }))).toEqual(["c:9 uses c:9"]);
  });

  it("brings a fact once, by its shortest path", async () => {
    await house.write([
      ...[link("d:1", "uses", "d:2"), link("d:1", "uses", "d:3"), link("d:2", "uses", "d:4"), link("d:3", "uses", "d:4")],
      link("d:4", "holds", "d:5"),
    ]);
    const found = await house.ask({ subject: "d:1", at, steps: 6 });
    expect(shown(found).filter((text) => text === "d:4 holds d:5")).toHaveLength(1);
    expect(found).toHaveLength(5);
  });

  it("is held to the reference time at each step", async () => {
    const until = { validTo: Date.UTC(2024, 0, 1) };
    await house.write(chain("e", [{}, until, {}, {}]));
    expect(shown(await house.ask({ subject: "e:e", at, steps: 4 }))).toEqual(["e:e department e:d"]);
    expect(await house.ask({ subject: "e:e", at: Date.UTC(2023, 0, 1), steps: 4 })).toHaveLength(4);
    expect(await house.ask({ subject: "e:e", at: from - 1, steps: 4 })).toEqual([]);
  });

  it("is held to permission at each step: a hidden link hides what lies behind it", async () => {
    for (const [hidden, seen] of [
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ] as const) {
      const p = `f${hidden}`;
      await house.write(
        chain(
          p,
          Array.from({ length: 4 }, (_, i) => (i === hidden ? { scopes: ["role:board"] } : {})),
        ),
      );
      expect(await house.ask({ subject: `${p}:e`, at, steps: 4 })).toHaveLength(seen);
      expect(await house.ask({ subject: `${p}:e`, at, steps: 4, scopes: ["tenant:all", "role:board"] })).toHaveLength(4);
    }
  });

  it("says when it was cut off, and does not fill its width with what may not be seen", async () => {
    const many = Array.from({ length: 30 }, (_, i) => link("g:1", "uses", `g:app-${i}`));
    await house.write(many.map((one, i) => (i < 20 ? { ...one, scopes: ["role:board"] } : one)));
    const ten = await house.ask({ subject: "g:1", at, limit: 10 });
    expect([ten.length, ten.some(({ isCutOff }) => isCutOff)]).toEqual([10, false]);
    const nine = await house.ask({ subject: "g:1", at, limit: 9 });
    expect([nine.length, nine.every(({ isCutOff }) => isCutOff)]).toEqual([9, true]);
  });

  it("stays within its bounds in a thicket, and is quick", async () => {
    const layer = (n: number) => Array.from({ length: 12 }, (_, i) => `h:${n}-${i}`);
    const links = [0, 1, 2, 3, 4, 5].flatMap((n) =>
      layer(n).flatMap((one) => layer(n + 1).map((other) => link(one, "uses", other))),
    );
    await house.write([...layer(0).map((one) => link("h:root", "uses", one)), ...links]);
    // Over three million paths lead to the last layer.
    const found = await house.ask({ subject: "h:root", at, steps: 6, limit: 100 });
    expect(found.length).toBeGreaterThan(100);
    expect(found.length).toBeLessThanOrEqual(600);
    expect(found.every(({ isCutOff }) => isCutOff)).toBe(true);
  });

  it("tells a conflict also on the way", async () => {
    await house.write([...chain("i"), link("i:e", "department", "i:other")]);
    const found = await house.ask({ subject: "i:e", at, steps: 2 });
    expect(
      found
        .filter(({ isInConflict }) => isInConflict)
        .map(({ object }) => object)
        .sort(),
    ).toEqual(["i:d", "i:other"]);
  });

  it.each([0, 7, 1.5, Number.NaN, -1])("of %s steps is refused", async (steps) => {
    await expect(house.ask({ at, steps })).rejects.toMatchObject({ code: "definition_invalid" });
  });

  it.each([{ limit: 0 }, { limit: 101 }, { predicates: [] }, { subject: "" }, { subject: "x".repeat(201) }])(
    "is refused without a usable question: %j",
    async (asked) => {
      await expect(house.ask({ at, ...asked })).rejects.toMatchObject({ code: "definition_invalid" });
    },
  );

  it.each(["a:e' or true --", "%", "a:\\", "{}", "$1", "*"])("takes an id as it is: %s", async (subject) => {
    expect(await house.ask({ subject, at, steps: 6 })).toEqual([]);
  });

  it("refuses NUL and lone surrogates", async () => {
    for (const subject of ["a\0", "a\uD800"])
      await expect(house.ask({ subject, at })).rejects.toMatchObject({ code: "bad_text" });
  });
});

describe("who sees facts", () => {
  beforeAll(async () => {
    const secret = { scopes: ["person:bob"] };
    await house.write([
      link("k:e", "department", "k:d"),
      link("k:d", "uses", "k:secret", secret),
      link("k:e", "holds", "k:own", secret),
    ]);
    await house.write([link("k:e", "department", "k:theirs")], { tenant: "globex" });
  });

  it.each([
    ["another's label", { scopes: ["person:eve"] }],
    ["no label", { scopes: [] }],
    [
      "a label that only looks like it",
      { scopes: ["person:bob' or true", "PERSON:BOB", "{person:bob}", "person:bob,tenant:all"] },
    ],
    ["a tenant that knows nothing of it", { tenant: "unknown" }],
  ])("is nobody with %s", async (_, asked) => {
    expect(await house.ask({ subject: "k:e", at, steps: 6, ...asked })).toEqual([]);
  });

  it("is refused without labels", async () => {
    await expect(house.ask({ at, scopes: undefined })).rejects.toMatchObject({ code: "forbidden" });
  });

  it("is each tenant of its own, for the same ids and labels, also by a login that no row policy binds", async () => {
    expect(await house.objects({ subject: "k:e", at, tenant: "globex", steps: 6 })).toEqual(["k:theirs"]);
    expect(await house.objects({ subject: "k:e", at, steps: 6 })).toEqual(["k:d"]);
    const { openDatabase } = await import("../../../src/store/database.ts");
    const owner = openDatabase({ url: house.made.adminUrl, role: "admin" });
    try {
      expect(await house.objects({ subject: "k:e", at, steps: 6, database: owner })).toEqual(["k:d"]);
      expect(await house.objects({ subject: "k:e", at, steps: 6, database: owner, scopes: ["person:bob"] })).toEqual(["k:own"]);
    } finally {
      await owner.close();
    }
  });

  it("is held to an account's list of record queries, of which an empty one is nothing", async () => {
    const only = (records: readonly string[]) => house.objects({ subject: "k:e", at, allow: { ...everything, records } });
    expect(await only(["orders.byId", "facts.hr"])).toEqual(["k:d"]);
    for (const list of [[], ["hr"], ["facts"], ["facts.payroll"], ["facts.*"]]) expect(await only(list)).toEqual([]);
  });

  it("is not told of a conflict with what is hidden", async () => {
    await house.write([link("m:e", "department", "m:d"), link("m:e", "department", "m:secret", { scopes: ["person:bob"] })]);
    const conflict = async (scopes: string[]) =>
      (await house.ask({ subject: "m:e", at, scopes })).map(({ isInConflict }) => isInConflict);
    expect([await conflict(["tenant:all"]), await conflict(["tenant:all", "person:bob"])]).toEqual([[false], [true, true]]);
  });
});
