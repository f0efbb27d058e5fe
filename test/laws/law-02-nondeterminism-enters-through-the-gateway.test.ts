import { getRandomValues, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import project from "../../examples/it-support/project.ts";
import { script } from "../../examples/it-support/script.ts";
import { canonicalJson } from "../../src/contract/json.ts";
import { intakeFor } from "../../src/decide/intake.ts";
import { replayGateway } from "../../src/gateway/replay.ts";
import { fixedContext, proposeForTest, scriptedProvider, testTime } from "../../src/testing/index.ts";
import { answerRooms, goodLoan, lendProjector, passage, projector } from "../decide/samples.ts";
import { inClosedWorld } from "./closed-world.ts";
import { type PureCase, proposeFromRecorded, proposeTwice } from "./propose-twice.ts";

const claims = [
  { text: "The room {{room.name}} has {{room.seats}} seats.", source: "rooms.all:r1" },
  { text: "It is never open.", source: "rooms:9:9" },
];
const row = { id: projector.id, row: projector.row, labels: projector.labels, readAt: testTime };
const desk = {
  passages: { rules: [passage] },
  records: {
    "projectors.free": [row],
    "projectors.byId": [row],
    "rooms.all": [{ id: "rooms.all:r1", row: { id: "r1", name: "Aula", seats: 80 }, labels: {}, readAt: testTime }],
  },
};

/** The reference application's world, as far as one employee sees it. */
const helpdesk = {
  passages: {
    policy: [1, 2, 3].map((position) => ({
      ...{ id: `passage:device-policy:3.1:${position}`, document: "device-policy", title: "Device policy", version: "3.1" },
      ...{ section: `Section ${position}`, text: "A laptop that is worn out is replaced once it is 36 months old.", score: 0.8 },
    })),
    policy_3: [
      {
        ...{ id: "passage:slow-computers:1.0:2", document: "slow-computers", title: "Slow computers", version: "1.0" },
        ...{ section: "Heat", text: "A fan is cleaned every 24 months at the latest.", score: 0.8 },
      },
    ],
  },
  records: {
    "diagnostics.ofDevice": [
      {
        id: "diagnostics.ofDevice:dev-2004",
        row: {
          device: "dev-2004",
          ...{ disk_free_percent: 41, memory_used_percent: 62, temperature_c: 96 },
          is_throttled: true,
          battery_health_percent: 71,
        },
        labels: {},
        readAt: testTime,
      },
    ],
    "history.ofDevice": [
      { id: "history.ofDevice:evt-2", row: { id: "evt-2", happened_on: "2023-09-01" }, labels: {}, readAt: testTime },
    ],
    "devices.ofPerson": [held({ id: "dev-2001", category: "mouse", asset_tag: "MS-2001", bought_on: "2023-01-10" })],
    "tickets.byId": [
      {
        id: "tickets.byId:tkt-7",
        row: { id: "tkt-7", status: "open", updated_on: "2026-03-01", device_model: null, order_status: null },
        labels: {},
        readAt: testTime,
      },
    ],
    "orders.forDevice": [
      {
        id: "orders.forDevice:dev-2001",
        row: { device_state: "in_use", replacements: 0, ordered: false },
        labels: {},
        readAt: testTime,
      },
    ],
  },
};

const cases: readonly PureCase[] = [
  {
    name: "a capability with an effect",
    capability: lendProjector(),
    inputs: { text: "a projector", days: 9 },
    items: desk,
    provider: replying("no JSON at first", JSON.stringify(goodLoan)),
  },
  {
    name: "a capability with claims",
    capability: answerRooms(),
    inputs: { text: "how large?" },
    items: desk,
    provider: replying(JSON.stringify({ claims })),
  },
  ...[
    example("answer_question", "How old must my laptop be?"),
    example("replace_device", "My mouse is broken"),
    example("ticket_state", "What is the state of tkt-7?"),
    example("slow_laptop", "Why is my laptop so slow?"),
  ],
  {
    ...example("answer_question", "How old must my laptop be?"),
    name: "intake",
    capability: intakeFor({ project, permitted: project.capabilities, text: "How old must my laptop be?" }),
  },
];

describe("law 2: nondeterminism enters through the gateway only", () => {
  it.each(cases)("$name proposes the same, byte for byte, with the outside closed", async (one) => {
    const { records, bytes, attempts } = await proposeTwice(one);
    expect(attempts).toEqual([]);
    expect(records[0]).toMatchObject({ kind: "decided", proposal: { digest: expect.stringMatching(/^[0-9a-f]{64}$/) } });
    expect(bytes[1]).toBe(bytes[0]);
  });

  it.each(cases)("$name proposes the same over its recorded replies, byte for byte, and asks the same for them", async (one) => {
    const [first, again] = await proposeFromRecorded(one);
    expect(canonicalJson(again.proposal)).toBe(canonicalJson(first.proposal));
    // Time is the only thing that a replay does not take from the record of the calls.
    expect(canonicalJson(again.bodies)).toBe(canonicalJson(first.bodies));
  });

  it("reads a recorded reply as strictly as it was read, and makes up none where none was recorded", async () => {
    const [first] = cases;
    if (first === undefined) throw new Error("no case");
    const record = await proposeFromRecorded(first);
    const replies = record[0].calls.map((call) => ({ ...call, reply: JSON.stringify({ ...goodLoan, sure: "90" }) }));
    const capability = lendProjector();
    const deps = { model: replayGateway(replies), context: fixedContext(desk) };
    const replayed = await proposeForTest({ capability, inputs: { text: "a projector", days: 9 }, deps });
    expect(replayed).toMatchObject({
      kind: "stopped",
      stop: { reason: "model_unavailable", detail: "no reply was recorded for this request" },
      calls: [{ outcome: "misfits" }, { outcome: "misfits" }],
    });
  });

  it("holds for every capability of the reference application", () => {
    const tested = cases.map(({ capability }) => capability.name);
    expect(project.capabilities.map(({ name }) => name).filter((name) => !tested.includes(name))).toEqual([]);
  });

  it("proposes another thing when a reply is another", async () => {
    const [first] = cases;
    if (first === undefined) throw new Error("no case");
    const other = { ...first, provider: replying(JSON.stringify({ ...goodLoan, sure: 89 })) };
    const digests = [await proposeTwice(first), await proposeTwice(other)].map(({ records }) => records[0].proposal?.digest);
    expect(new Set(digests).size).toBe(2);
  });

  it.each<[string, string, () => Parameters<typeof lendProjector>[0]]>([
    ["reads the clock", "Date.now", () => ({ label: () => `at-${Date.now()}` })],
    ["asks what time it is", "new Date()", () => ({ slice: () => new Date().toISOString() })],
    ["throws a die", "Math.random", () => ({ modelConfidence: () => Math.random() * 100 })],
    ["makes an id", "crypto.randomUUID", () => ({ slice: () => randomUUID() })],
    [
      "draws random bytes",
      "globalThis.crypto.getRandomValues",
      () => ({ slice: () => String(getRandomValues(new Uint8Array(1))) }),
    ],
    ["reads a file", "fs.readFileSync", () => ({ slice: () => readFileSync("package.json", "utf8") })],
    ["opens a connection", "net.connect", () => ({ slice: () => String(connect(1)) })],
    ["measures time", "process.hrtime", () => ({ slice: () => String(process.hrtime()) })],
  ])("catches a capability that %s", async (_what, door, own) => {
    const [first] = cases;
    if (first === undefined) throw new Error("no case");
    const capability = lendProjector(own());
    const { attempts } = await proposeTwice({ ...first, capability });
    expect(attempts).toContain(door);
  });

  it("catches a capability that remembers, by the bytes alone", async () => {
    const [first] = cases;
    if (first === undefined) throw new Error("no case");
    const calls: string[] = [];
    const capability = lendProjector({ label: () => `call-${calls.push("")}` });
    const { bytes, attempts } = await proposeTwice({ ...first, capability });
    expect(attempts).toEqual([]);
    expect(bytes[1]).not.toBe(bytes[0]);
  });

  it("opens the world again, also after a failure", async () => {
    await expect(inClosedWorld(() => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(readFileSync("package.json", "utf8")).toContain("countersign");
    expect([Date.now(), Date.parse(new Date().toISOString()), Math.random(), process.hrtime()[0]].every(Number.isFinite)).toBe(
      true,
    );
  });
});

function replying(...replies: readonly string[]) {
  return scriptedProvider({ name: "scripted", lines: [{ purpose: "decide", when: /./, replies }] });
}

function example(name: string, text: string): PureCase {
  const capability = project.capabilities.find((one) => one.name === name);
  if (capability === undefined) throw new Error(`the reference application has no capability ${name}`);
  return {
    name: `the example's ${name}`,
    capability,
    inputs: { text },
    items: helpdesk,
    provider: scriptedProvider({ name: "scripted", lines: script }),
  };
}

function held(device: { id: string; category: string; asset_tag: string; bought_on: string }) {
  const rest = { model: "M1", state: "in_use", depot: "north", replacements: 0, replacement_model: "M2", holder: "emp-1" };
  return { id: `record:devices.ofPerson:${device.id}`, row: { ...device, ...rest }, labels: {}, readAt: testTime };
}
