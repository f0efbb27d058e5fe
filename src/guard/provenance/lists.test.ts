import { expect, test } from "vitest";
import { begin, call, contact, literal, rules } from "../../../test/guard/provenance-samples.ts";
import type { CallRule, Slot } from "../../contract/plan.ts";
import { judgeCall } from "./judge-call.ts";
import { afterRead, openPlanned } from "./session.ts";

const list: Slot = { id: "files", tool: "list_files", args: {} };
const each: Slot = {
  id: "each",
  tool: "find_contact",
  args: { name: { kind: "item", path: "/id" } },
  forEach: { kind: "ref", slot: "files", path: "" },
};
const pay = (id: string): Slot => ({
  id,
  tool: "mail",
  args: {
    to: {
      kind: "list",
      of: [
        {
          kind: "ref",
          slot: "each",
          where: [{ field: "/item/id", is: "equals", value: literal("13") }],
          path: "/result/0/email",
        },
      ],
    },
    body: literal("See you at noon."),
  },
});

test("what was read for one record keeps its own labels, whatever is read after it", () => {
  const files = [{ id: "13" }, { id: "14" }];
  const read = afterRead(begin([list, each, pay("tell")]), call("list_files", {}), {
    result: files,
    fields: { "/*/id": "system" },
  });
  const foreign = { result: [{ email: "mallory@evil.example" }], fields: { "/0/email": "third" } } as const;
  const own = { result: [{ email: "zoe@our.example" }], fields: { "/0/email": "directory" } } as const;
  const both = afterRead(
    afterRead(read, call("find_contact", { name: "13" }), foreign),
    call("find_contact", { name: "14" }),
    own,
  );
  const ruling = judgeCall(both, call("mail", { to: ["mallory@evil.example"], body: "See you at noon." }));
  expect(ruling).toMatchObject({ kind: "ask", rule: "not_trusted" });
});

test("a place in a list of several means none of them", () => {
  const first: Slot = {
    id: "tell",
    tool: "mail",
    args: {
      to: { kind: "list", of: [{ kind: "ref", slot: "contact", list: "/0", path: "/email" }] },
      body: literal("See you at noon."),
    },
  };
  const mail = call("mail", { to: ["a@our.example"], body: "See you at noon." });
  const asked = call("find_contact", { name: "Sara Baker" });
  const one = afterRead(begin([contact, first]), asked, { result: [{ email: "a@our.example" }] });
  expect(judgeCall(one, mail).kind).toBe("auto");
  const two = afterRead(begin([contact, first]), asked, { result: [{ email: "a@our.example" }, { email: "b@our.example" }] });
  expect(judgeCall(two, mail)).toMatchObject({ kind: "ask", rule: "unresolved" });
});

test("who can add to a list does not have a call made once more", () => {
  const spread: Slot = {
    id: "spread",
    tool: "pay",
    args: { to: literal("GB29NWBK60161331926819"), amount: literal("40.00"), note: literal("noon") },
    forEach: { kind: "ref", slot: "files", path: "" },
  };
  const read = afterRead(begin([list, spread]), call("list_files", {}), { result: [{ id: "1", text: "by a stranger" }] });
  const ruling = judgeCall(read, call("pay", { to: "GB29NWBK60161331926819", amount: 40, note: "noon" }));
  expect(ruling).toMatchObject({ kind: "ask", rule: "not_trusted" });
});

test("another value is refused also where something else is open", () => {
  const open: Slot = {
    id: "pay",
    tool: "pay",
    args: { to: literal("GB29NWBK60161331926819"), amount: literal("40.00"), note: { kind: "open", why: "nobody said" } },
  };
  const ruling = judgeCall(begin([open]), call("pay", { to: "US133000000121212121212", amount: 9999, note: "x" }));
  expect(ruling).toMatchObject({ kind: "refuse", rule: "differs_from_plan" });
});

test("the planner's own wording brings no addresses along", () => {
  const note = "see https://evil.example";
  const slot: Slot = {
    id: "pay",
    tool: "pay",
    args: { to: literal("GB29NWBK60161331926819"), amount: literal("40.00"), note: { kind: "constant", value: note } },
  };
  const ruling = judgeCall(begin([slot]), call("pay", { to: "GB29NWBK60161331926819", amount: 40, note }));
  expect(ruling).toMatchObject({ kind: "ask", rule: "wording_with_strangers" });
});

test("without a plan an empty or a left-out target is no target", () => {
  const args = { who: { class: "target", type: "user", many: true, optional: true } } as const;
  const own: CallRule = {
    ...({ name: "tag", description: "Tags.", kind: "write", space: "own", reversible: true } as const),
    ...{ args, fields: {} },
  };
  const session = openPlanned({ request: "tag it", rules: [...rules, own], plan: null });
  expect(judgeCall(session, call("tag", { who: [] })).kind).toBe("ask");
  expect(judgeCall(session, call("tag", {})).kind).toBe("ask");
});

test("a secret is no argument of a read", async () => {
  const { readSlots } = await import("./session.ts");
  const leak: Slot = { id: "leak", tool: "find_contact", args: { name: { kind: "ref", slot: "contact", path: "/pin" } } };
  const asked: string[] = [];
  await readSlots(begin([contact, leak]), async ({ args }) => {
    asked.push(JSON.stringify(args));
    return { result: [{ name: "Sara Baker", pin: "98-7654" }] };
  });
  expect(asked).toEqual(['{"name":"Sara Baker"}']);
});
