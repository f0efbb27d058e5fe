import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EvalCase, evalCase } from "./case-file.ts";
import { putCase } from "./put-case.ts";
import { readEvalCases } from "./read-cases.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-put-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const made = (id: string): EvalCase =>
  evalCase.parse({
    ...{ id, request: "Is it: a test? # no remark", envelope: { principal: "asker", roles: ["employee"] } },
    ...{ fixtures: { seed: "sandbox" }, expectations: { decision: "closed" }, label: "quality", kind: "single" },
    ...{ slice: "all", source: "decision 1" },
  });
const put = (id: string) => putCase(folder, { capability: "close_ticket", evalCase: made(id) });
const ids = async () => (await readEvalCases(folder)).flatMap(({ cases }) => cases.map((one) => one.id));

describe("putCase", () => {
  it("makes the file of a capability, and never writes over a case", async () => {
    expect(await put("one")).toEqual({ file: "close_ticket.yaml", isNew: true });
    const text = await readFile(join(folder, "close_ticket.yaml"), "utf8");
    await writeFile(join(folder, "close_ticket.yaml"), text.replace("decision: \n", "decision:\n").replace("- closed", "- open"));
    expect(await put("one")).toEqual({ file: "close_ticket.yaml", isNew: false });
    expect(await readFile(join(folder, "close_ticket.yaml"), "utf8")).toContain("- open");
    expect((await readEvalCases(folder))[0]?.faults).toEqual([]);
  });

  it("leaves remarks and the other cases as they are written", async () => {
    await put("one");
    const before = `# what these are\n${await readFile(join(folder, "close_ticket.yaml"), "utf8")}# the end, without a line of its own`;
    await writeFile(join(folder, "close_ticket.yaml"), before);
    await put("two");
    expect(await readFile(join(folder, "close_ticket.yaml"), "utf8")).toMatch(new RegExp(`^${escaped(before)}\n- id: two\n`));
    expect(await ids()).toEqual(["one", "two"]);
  });

  it("loses no case of those that are put at the same time, by this process and by others", async () => {
    const names = Array.from({ length: 6 }, (_, place) => `case-${place}`);
    const here = names.map((id) => put(id));
    const others = ["x"].map((name) => putElsewhere(names.map((id) => made(`${name}-${id}`))));
    const all = await Promise.all(here);
    await Promise.all(others);
    expect(all.filter(({ isNew }) => isNew)).toHaveLength(names.length);
    expect((await ids()).sort()).toEqual(names.flatMap((id) => [id, `x-${id}`]).sort());
    // Nothing stands there for version control but the cases.
    expect((await readdir(folder)).sort()).toEqual([".putting", "close_ticket.yaml"]);
    expect(await readFile(join(folder, ".putting", ".gitignore"), "utf8")).toBe("*\n");
  }, 60_000);

  it("is not held up by a process that died over it", async () => {
    await mkdir(join(folder, ".putting"));
    await writeFile(join(folder, ".putting", "7"), JSON.stringify({ pid: 2 ** 22 - 1, life: "1" }));
    expect(await put("one")).toMatchObject({ isNew: true });
  });

  it.each<[string, string, string]>([
    ["an empty list in one line", "close_ticket.yaml", "[] # none yet\n"],
    ["a list that is set in", "close_ticket.yml", `  - ${JSON.stringify(made("zero"))}\n`],
    ["a line a case", "close_ticket.jsonl", JSON.stringify(made("zero"))],
  ])("adds to %s", async (_what, file, text) => {
    await writeFile(join(folder, file), text);
    expect(await put("one")).toEqual({ file, isNew: true });
    expect((await ids()).at(-1)).toBe("one");
    expect((await readEvalCases(folder))[0]?.faults).toEqual([]);
  });

  it("adds nothing to a file that is broken", async () => {
    await writeFile(join(folder, "close_ticket.yaml"), "- id: [\n");
    await expect(put("one")).rejects.toMatchObject({ code: "bad_request" });
    expect(await readFile(join(folder, "close_ticket.yaml"), "utf8")).toBe("- id: [\n");
  });
});

/** Puts cases one after the other in another process. */
async function putElsewhere(cases: readonly EvalCase[]): Promise<void> {
  const { href } = new URL("./put-case.ts", import.meta.url);
  const program = `
    const { putCase } = await import(${JSON.stringify(href)});
    for (const evalCase of JSON.parse(process.argv[2])) await putCase(process.argv[1], { capability: "close_ticket", evalCase });`;
  const process_ = [process.execPath, ["--input-type=module", "-e", program, folder, JSON.stringify(cases)]] as const;
  await promisify(execFile)(...process_);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
