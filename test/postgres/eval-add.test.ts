import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { evalAdd } from "../../src/cli/eval-add.ts";
import { triage, triageLabel } from "../../src/cli/triage.ts";
import { readEvalCases } from "../../src/evals/read-cases.ts";
import { decisionDraft } from "../../src/ledger/decision-entry.ts";
import { writeEntries } from "../../src/ledger/entries.ts";
import { printed } from "../setup/printed.ts";
import { type Deciding, recordOf } from "./acting/decided.ts";
import { House, people } from "./acting/house.ts";

// A decision that went wrong becomes an eval case, and is labelled; nothing of anybody stands in the files.
let house: House;
let folder: string;
beforeAll(async () => {
  house = await House.build();
  vi.stubEnv("COUNTERSIGN_DECIDING_URL", house.store.urls.deciding);
  vi.stubEnv("COUNTERSIGN_DESK_URL", house.store.urls.desk);
  vi.stubEnv("COUNTERSIGN_PAYLOAD_KEY", house.payloadKey.toString("base64"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await house?.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-add-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mail = "jane.doe@globex.example";
const text = `Please open a ticket for me, my mail is ${mail} and my phone +49 30 901820`;

async function asked(deciding: Deciding, bodies: object = { inputs: { text } }): Promise<string> {
  const made = recordOf({ ...deciding, ids: house.ids, project: house.sample.project });
  const context = [
    { kind: "record", id: "tickets.byName:t", need: "t", query: "tickets.byName", row: { email: mail }, labels: {}, readAt: 0 },
  ];
  const record = { ...made, bodies: { trace: [], context, ...bodies } as typeof made.bodies };
  await house.deciding.inTenant("acme", async (tx) => {
    await writeEntries({ tx, drafts: [decisionDraft(record, "0".repeat(64))], keys: house.keys });
    await tx.insertInto("waiting").values({ tenant: "acme", decision_id: record.request.decisionId }).execute();
  });
  await house.settled();
  return record.request.decisionId;
}

const place = () => ({ project: folder, directory: folder, json: true as const });
const add = (decisionId: string, right: { refuses?: true; label?: "safety" } = {}) =>
  printed(evalAdd(decisionId, { ...place(), label: "quality", ...right }));
const rejected = async () => {
  const decisionId = await asked({ changes: [house.add("t", `call ${mail}`)] });
  await house.desk().reject({ principal: people.ada, decisionId, reason: "no ticket is wanted" });
  return decisionId;
};

describe("eval add", () => {
  it("makes a case of what a person rejected: it must not come again; once, and without personal data", async () => {
    const decisionId = await rejected();
    expect(await add(decisionId)).toMatchObject({ isNew: true, case: `from-${decisionId}` });
    expect(await add(decisionId)).toMatchObject({ isNew: false });
    const [file] = await readEvalCases(join(folder, "evals"));
    expect(file?.faults).toEqual([]);
    expect(file?.cases).toMatchObject([
      {
        id: `from-${decisionId}`,
        envelope: { principal: "asker", roles: people.erin.roles },
        expectations: { effects: { required: [], forbidden: [{ effect: house.sample.add.name, params: { name: "t" } }] } },
        ...{ label: "quality", source: `decision ${decisionId}` },
      },
    ]);
    const written = await readFile(join(folder, "evals", file?.file ?? ""), "utf8");
    expect(written).toContain("Please open a ticket for me");
    for (const raw of [mail, "901820", "jane.doe", people.erin.id]) expect(written).not.toContain(raw);
    // One value has one stand-in: what is asked and what must not come fit together.
    const standIn = /my mail is (\S+)/.exec(String(file?.cases[0]?.request))?.[1];
    expect(standIn).toMatch(/@/);
    expect(JSON.stringify(file?.cases[0]?.expectations)).toContain(standIn);
  });

  it("wants to be told what is right where nobody did, and what was asked", async () => {
    const open = await asked({ changes: [house.add("u")] });
    await expect(add(open)).rejects.toMatchObject({
      code: "bad_request",
      message: expect.stringContaining("--decision or --refuses"),
    });
    expect(await add(open, { refuses: true, label: "safety" })).toMatchObject({ isNew: true });
    const [file] = await readEvalCases(join(folder, "evals"));
    expect(file?.cases).toMatchObject([{ label: "safety", expectations: { refuses: true } }]);
    const forgotten = await asked({ changes: [house.add("v")] }, {});
    await expect(add(forgotten, { refuses: true })).rejects.toMatchObject({
      message: expect.stringContaining("inputs were not kept"),
    });
  });
});

describe("triage", () => {
  it("lists failures with what the trace suggests, keeps what a person sets, and names the layer", async () => {
    // A project of its own, so that its runs are none of the examples'.
    await writeFile(join(folder, "project.ts"), 'export default { name: "tried-in-tests", capabilities: [] };\n');
    const decisionId = await rejected();
    const listed = () => printed(triage({ ...place(), last: "50" }));
    const before = await listed();
    expect(find(before, decisionId)).toMatchObject({ kind: "rejected", label: null, suggested: { label: "unspecified" } });
    expect(before).toMatchObject({ largest: null });
    expect(await printed(triageLabel({ failure: decisionId, label: "missing" }, place()))).toMatchObject({ label: "missing" });
    const after = await listed();
    expect(find(after, decisionId)).toMatchObject({ label: "missing" });
    expect(after).toMatchObject({ largest: "missing", layer: expect.stringContaining("retrieval") });
    expect(JSON.stringify(after)).not.toContain(mail);
    await expect(triageLabel({ failure: decisionId, label: "wrong" }, place())).rejects.toMatchObject({ code: "bad_request" });
  });
});

describe("triage --ask", () => {
  it("asks for each label that is missing, keeps each answer at once, and goes on where it was", async () => {
    await writeFile(join(folder, "project.ts"), 'export default { name: "asked-in-tests", capabilities: [] };\n');
    const [first, second] = [await rejected(), await rejected()];
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const ask = (answers: string) => {
      vi.spyOn(process, "stdin", "get").mockReturnValue(Readable.from([answers]) as unknown as typeof process.stdin);
      return printed(triage({ ...place(), last: "2", ask: true }));
    };
    try {
      // The newest comes first: a number for it, and then whoever asks is gone.
      const broken = await ask("3\n");
      expect([find(broken, second), find(broken, first)]).toMatchObject([{ label: "form" }, { label: null }]);
      const done = await ask("\n");
      expect([find(done, second), find(done, first)]).toMatchObject([{ label: "form" }, { label: "unspecified" }]);
      expect(written.mock.calls.join("")).toContain("1 unspecified, 2 missing, 3 form");
    } finally {
      vi.restoreAllMocks();
    }
  });
});

function find({ failures }: Record<string, unknown>, failure: string): object | undefined {
  return (failures as { failure: string }[]).find((one) => one.failure === failure);
}
