import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

// The benchmark over a folder that was made up for each test.
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "countersign-bench-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const slow = { timeout: 60_000 };
const kind = { keyword: "type", optional: false, format_assertion: false, needs_remote_or_metaschema: false };
const suite = [
  { ...kind, id: "a/1", draft: "draft2020-12", schema: { type: "string" }, data: "x", valid: true },
  { ...kind, id: "a/2", draft: "draft2020-12", schema: { prefixItems: [true], items: false }, data: [1, 2], valid: false },
  { ...kind, id: "b/1", draft: "draft7", schema: { items: [true], additionalItems: false }, data: [1, 2], valid: false },
  { ...kind, id: "b/2", draft: "draft7", optional: true, schema: { format: "email" }, data: "no", valid: false },
  {
    ...kind,
    id: "b/3",
    draft: "draft7",
    needs_remote_or_metaschema: true,
    schema: { $ref: "http://x.example/" },
    data: 1,
    valid: true,
  },
];
const parameters = {
  type: "object",
  properties: { seats: { type: "integer" }, class: { enum: ["first", "second"] } },
  required: ["seats"],
  additionalProperties: false,
};
const calls = [
  {
    id: "train",
    tool: { name: "book.train", parameters },
    gold_call: { name: "book.train", arguments: { seats: 2, class: "first" } },
    gold_call_schema_errors: [],
    invalid_calls: [
      { why: 'required "seats" missing', arguments: {} },
      { why: "unknown parameter", arguments: { seats: 1, __unexpected: 1 } },
      { why: 'wrong type for "seats" (integer)', arguments: { seats: "two" } },
      { why: 'enum of "class"', arguments: { seats: 1, class: "third" } },
    ],
  },
];

async function put(folder: string, { tests = suite, tools = calls }: { tests?: readonly object[]; tools?: readonly object[] }) {
  const write = async (path: string, rows: readonly object[]) => {
    await mkdir(join(data, path, ".."), { recursive: true });
    await writeFile(join(data, path), `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  };
  await write(`json-schema-suite/${folder}/tests.jsonl`, tests);
  await write(`bfcl-contracts/${folder}/calls.jsonl`, tools);
}

function bench(...args: readonly string[]): Promise<{ code: number; last: unknown; stderr: string }> {
  const env = { ...process.env, COUNTERSIGN_BENCH_DATA: undefined };
  return new Promise((resolve) => {
    execFile(process.execPath, ["benchmarks/run.ts", "schema", "--json", ...args], { env }, (failure, stdout, stderr) => {
      const code = failure === null ? 0 : Number(failure.code);
      const line = stdout.trim().split("\n").at(-1) ?? "";
      resolve({ code, last: line === "" ? null : JSON.parse(line), stderr });
    });
  });
}

const all = (count: number) => ({ count, right: count, share: 1, failing: [] });

describe("bench schema", () => {
  it("counts what was accepted and rejected, by set and draft, beside Ajv", slow, async () => {
    await put("open", {});
    const { code, last } = await bench("--data", data);
    expect(code).toBe(0);
    expect(last).toMatchObject({
      name: "schema",
      split: "open",
      suite: [
        { draft: "draft2020-12", required: all(2), optional: { count: 0, share: null } },
        { draft: "draft7", required: all(1), optional: { count: 2, right: 0, refused: 1, acceptedWrongly: 1 } },
      ],
      suiteTiming: { validations: 3, oursP50Ns: expect.any(Number), rawAjvP50Ns: expect.any(Number) },
      calls: { registered: all(1), goldAccepted: all(1), invalidRejected: all(4), rightReason: all(4) },
      callsTiming: { validations: 1 },
      passed: true,
    });
  });

  it("names what fails, and has not passed then", slow, async () => {
    const wrong = suite.map((test) => (test.id === "a/1" ? { ...test, valid: false } : test));
    const [train] = calls;
    const tool = {
      ...train,
      gold_call: { arguments: {} },
      invalid_calls: [{ why: "unknown parameter", arguments: { seats: 1 } }],
    };
    await put("held", { tests: wrong, tools: [tool] });
    const { code, last } = await bench("--data", data, "--split", "held");
    expect(code).toBe(0);
    expect(last).toMatchObject({
      split: "held",
      suite: [{ required: { count: 2, right: 1, failing: ["a/1"] } }, {}],
      calls: { goldAccepted: { share: 0, failing: ["train"] }, invalidRejected: { share: 0, failing: ["train#0"] } },
      passed: false,
    });
  });

  it("has not passed over empty sets", slow, async () => {
    await put("open", { tests: [], tools: [] });
    expect((await bench("--data", data)).last).toMatchObject({ suite: [], suiteTiming: null, passed: false });
  });

  it("says that it was skipped where no folder is named or the sets are absent, with exit code 2", slow, async () => {
    expect(await bench()).toMatchObject({ code: 2, last: { name: "schema", skipped: expect.stringMatching(/--data DIR/) } });
    await put("open", {});
    const absent = await bench("--data", data, "--split", "held");
    expect(absent).toMatchObject({ code: 2, last: { skipped: expect.stringContaining("held/tests.jsonl") } });
    expect(absent.stderr).toContain("skipped: ");
  });

  it("names the line of a file that has not the expected form", slow, async () => {
    await put("open", { tests: [...suite, { id: "c" }] });
    const { code, stderr } = await bench("--data", data);
    expect(code).toBe(1);
    expect(stderr).toMatch(/tests[.]jsonl`, line 6/);
  });
});
