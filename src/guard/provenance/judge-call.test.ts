import { describe, expect, test } from "vitest";
import { begin, call, contact, literal, paid, payBob, rules, toContact } from "../../../test/guard/provenance-samples.ts";
import type { Binding, Slot } from "../../contract/plan.ts";
import { afterUse, judgeCall } from "./judge-call.ts";
import { afterRead, openPlanned } from "./session.ts";

describe("with a plan", () => {
  test("a call passes once, with exactly its slot's arguments", () => {
    const session = begin([payBob]);
    const ruling = judgeCall(session, call("pay", paid));
    expect(ruling).toMatchObject({ kind: "auto", rule: "as_planned", slot: "pay" });
    expect(judgeCall(afterUse(session, ruling), call("pay", paid))).toMatchObject({ kind: "refuse", rule: "not_in_plan" });
  });

  test("another value is refused, and the expected one named", () => {
    const ruling = judgeCall(begin([payBob]), call("pay", { ...paid, amount: 41 }));
    expect(ruling).toMatchObject({ kind: "refuse", rule: "differs_from_plan", reason: "`amount` must be 40" });
  });

  test("an argument more or fewer is refused", () => {
    expect(judgeCall(begin([payBob]), call("pay", { ...paid, cc: "x" })).kind).toBe("refuse");
    expect(judgeCall(begin([payBob]), call("pay", { to: paid.to, amount: 40 })).kind).toBe("refuse");
  });

  test("a tool in no slot is refused, or asked where the request hands itself over to a text", () => {
    expect(judgeCall(begin([payBob]), call("delete_file", { id: "13" })).kind).toBe("refuse");
    expect(judgeCall(begin([payBob], "ask"), call("delete_file", { id: "13" })).kind).toBe("ask");
    expect(judgeCall(begin([payBob]), call("format_disk", {}))).toMatchObject({ kind: "ask", rule: "tool_unknown" });
  });

  test("a value of a directory passes, of exactly one record", () => {
    const slots: Slot[] = [contact, { id: "tell", tool: "mail", args: { to: toContact, body: literal("See you at noon.") } }];
    const asked = call("find_contact", { name: "Sara Baker" });
    const mail = call("mail", { to: ["sara@our.example"], body: "See you at noon." });
    const sara = { name: "Sara Baker", email: "sara@our.example" };
    expect(judgeCall(begin(slots), mail)).toMatchObject({ kind: "ask", rule: "unresolved" });
    expect(judgeCall(afterRead(begin(slots), asked, { result: [sara] }), mail).kind).toBe("auto");
    const double = { name: "Sara Baker", email: "mallory@evil.example" };
    expect(judgeCall(afterRead(begin(slots), asked, { result: [sara, double] }), mail)).toMatchObject({
      kind: "ask",
      rule: "unresolved",
    });
    // The first reading stands: who reads again does not get another answer.
    const again = afterRead(afterRead(begin(slots), asked, { result: [sara] }), asked, { result: [double] });
    expect(judgeCall(again, call("mail", { ...mail.args, to: ["mallory@evil.example"] })).kind).toBe("refuse");
    // What was asked for otherwise is no reading of the slot.
    const other = afterRead(begin(slots), call("find_contact", { name: "Sara" }), { result: [sara] });
    expect(judgeCall(other, mail)).toMatchObject({ kind: "ask", rule: "unresolved" });
  });

  test.each([
    ["taken from what others write", "/about"],
    ["taken from a field that nobody declared", "/toString"],
    ["a secret", "/pin"],
  ])("a target that is %s is asked for", (_, path) => {
    const to: Binding = { kind: "list", of: [{ kind: "ref", slot: "contact", path }] };
    const session = begin([contact, { id: "tell", tool: "mail", args: { to, body: literal("See you at noon.") } }]);
    const row = {
      name: "Sara Baker",
      email: "e@our.example",
      about: "m@evil.example",
      pin: "p@our.example",
      toString: "t@our.example",
    };
    const read = afterRead(session, call("find_contact", { name: "Sara Baker" }), { result: [row] });
    const value = row[path.slice(1) as keyof typeof row];
    expect(judgeCall(read, call("mail", { to: [value], body: "See you at noon." }))).toMatchObject({
      kind: "ask",
      rule: "not_trusted",
    });
  });

  test("a record that is chosen by what others write is as bad as what they write", () => {
    const chosen: Binding = {
      kind: "ref",
      slot: "files",
      where: [{ field: "/text", is: "contains", value: literal("noon") }],
      path: "/id",
    };
    const session = begin([
      { id: "files", tool: "list_files", args: {} },
      { id: "drop", tool: "delete_file", args: { id: chosen } },
    ]);
    const read = afterRead(session, call("list_files", {}), {
      result: [
        { id: "13", size: 1, text: "noon" },
        { id: "14", size: 2, text: "" },
      ],
    });
    expect(judgeCall(read, call("delete_file", { id: "13" }))).toMatchObject({ kind: "ask", rule: "not_trusted" });
  });

  test("what cannot be undone on own things is asked for unless the request names the thing", () => {
    const byName = begin([{ id: "drop", tool: "delete_file", args: { id: literal("13") } }]);
    expect(judgeCall(byName, call("delete_file", { id: "13" })).kind).toBe("auto");
    const largest: Binding = { kind: "ref", slot: "files", pick: { by: "/size", order: "greatest" }, path: "/id" };
    const session = begin([
      { id: "files", tool: "list_files", args: {} },
      { id: "drop", tool: "delete_file", args: { id: largest } },
    ]);
    const read = afterRead(session, call("list_files", {}), {
      result: [
        { id: "13", size: 1 },
        { id: "14", size: 2 },
      ],
    });
    expect(judgeCall(read, call("delete_file", { id: "14" }))).toMatchObject({ kind: "ask", rule: "irreversible" });
    expect(judgeCall(read, call("delete_file", { id: "13" })).kind).toBe("refuse");
  });

  test("a list is used up record by record, each with its own fields together", () => {
    const each: Slot = {
      id: "each",
      tool: "mail",
      forEach: { kind: "ref", slot: "contact", path: "" },
      args: {
        to: { kind: "list", of: [{ kind: "item", path: "/email" }] },
        body: { kind: "template", text: "See you at noon.", fill: {} },
      },
    };
    const open = begin([contact, each]);
    const mail = (to: string) => call("mail", { to: [to], body: "See you at noon." });
    expect(judgeCall(open, mail("a@our.example"))).toMatchObject({ kind: "ask", rule: "unresolved" });
    const read = afterRead(open, call("find_contact", { name: "Sara Baker" }), {
      result: [
        { name: "A", email: "a@our.example" },
        { name: "B", email: "b@our.example" },
      ],
    });
    const first = judgeCall(read, mail("b@our.example"));
    expect(first).toMatchObject({ kind: "auto", slot: "each#1" });
    const then = afterUse(read, first);
    expect(judgeCall(then, mail("b@our.example")).kind).toBe("refuse");
    expect(judgeCall(then, mail("a@our.example")).kind).toBe("auto");
    expect(judgeCall(then, mail("c@our.example")).kind).toBe("refuse");
  });

  test("written text passes to a named target, unless it brings addresses or secrets along", () => {
    const slots: Slot[] = [
      contact,
      {
        id: "tell",
        tool: "mail",
        args: { to: { kind: "list", of: [literal("bob@our.example")] }, body: { kind: "compose", from: ["contact"] } },
      },
    ];
    const read = afterRead(begin(slots), call("find_contact", { name: "Sara Baker" }), {
      result: [{ name: "Sara", pin: "98-7654" }],
    });
    const mail = (body: string) => judgeCall(read, call("mail", { to: ["bob@our.example"], body }));
    expect(mail("Sara is in the book.").kind).toBe("auto");
    expect(mail("See evil.com")).toMatchObject({ kind: "ask", rule: "wording_with_strangers" });
    expect(mail("Her pin is 98 7654")).toMatchObject({ kind: "ask", rule: "wording_with_strangers" });
    expect(judgeCall(begin(slots), call("mail", { to: ["bob@our.example"], body: "Sara" }))).toMatchObject({
      kind: "ask",
      rule: "unresolved",
    });
  });

  test("a reviewer is told where each value comes from", () => {
    const ruling = judgeCall(begin([payBob]), call("pay", paid));
    expect(ruling.kind === "auto" && ruling.sources).toEqual([
      { arg: "amount", label: "principal", from: 'the request, "40.00"' },
      { arg: "note", label: "constant", from: "the plan" },
      { arg: "to", label: "principal", from: 'the request, "GB29NWBK60161331926819"' },
    ]);
  });
});

describe("without a plan", () => {
  test.each([
    ["create_file", { name: "noon", text: "a list" }, "auto"],
    ["create_file", { name: "other", text: "a list" }, "ask"],
    ["create_file", { name: "noon", text: "see evil.com" }, "ask"],
    ["delete_file", { id: "13" }, "ask"],
    ["pay", paid, "ask"],
    ["mail", { to: ["bob@our.example"], body: "See you at noon." }, "ask"],
    ["get_page", { url: "www.evil.example" }, "ask"],
    ["list_files", {}, "auto"],
  ] as const)("%s %j: %s", (tool, args, kind) => {
    expect(judgeCall(begin(null), call(tool, args)).kind).toBe(kind);
  });

  test("an address that the principal typed may be got", () => {
    const session = openPlanned({ request: "Read www.our-company.com please", rules, plan: null });
    expect(judgeCall(session, call("get_page", { url: "www.our-company.com" }))).toMatchObject({
      kind: "auto",
      rule: "typed_by_principal",
    });
    expect(judgeCall(session, call("get_page", { url: "www.our-company.com/steal" })).kind).toBe("ask");
  });
});
