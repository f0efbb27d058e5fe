import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRun, type RunHead } from "../../src/cli/kept-repeats.ts";
import { repeatWith } from "./played.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-kept-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const head: RunHead = {
  ...{ id: "r-1", project: "p", startedAt: 5, repeats: 2, passRate: 0.6, setDigest: "d" },
  capabilities: { answer: { version: "1", prompt: "2", model: "a/b" } },
  judges: { tone: { version: "1", model: "a/judge-1", rubricDigest: "d1" } },
};
const path = () => join(folder, "p.unfinished.jsonl");
const line = (caseId: string, repeat: number) => ({ caseId, repeat: repeatWith({ "answers.decision": 1 }, repeat) });

/** What a killed run left: nobody closed the file. */
async function killedAfter(...lines: readonly ReturnType<typeof line>[]): Promise<void> {
  const run = await openRun(folder, { head, resume: false });
  for (const one of lines) await run.keep(one);
  await run.close();
}

describe("openRun", () => {
  it("goes on with what is there, under the first one's id and time", async () => {
    await killedAfter(line("a", 1), line("b", 1));
    const again = await openRun(folder, { head: { ...head, id: "r-2", startedAt: 9 }, resume: true });
    expect(again.head).toEqual(head);
    expect(again.finished).toEqual([line("a", 1), line("b", 1)]);
    await again.keep(line("a", 2));
    await again.close();
    const third = await openRun(folder, { head, resume: true });
    expect(third.finished.map(({ caseId, repeat }) => `${caseId}${repeat.repeat}`)).toEqual(["a1", "b1", "a2"]);
    await third.done();
    await expect(openRun(folder, { head, resume: true })).rejects.toMatchObject({ code: "not_found" });
  });

  it.each(["{", `{"caseId":"b","repeat":{"repeat":2,"passed":tr`, `{"caseId":"b","repeat":{"repeat":2,"passed":true}}`])(
    "counts nothing of a line that a kill cut off: %s",
    async (rest) => {
      await killedAfter(line("a", 1));
      await appendFile(path(), rest);
      const again = await openRun(folder, { head, resume: true });
      expect(again.finished).toEqual([line("a", 1)]);
      await again.keep(line("b", 1));
      await again.close();
      expect(
        (await readFile(path(), "utf8"))
          .trim()
          .split("\n")
          .map((text) => JSON.parse(text).caseId),
      ).toEqual([undefined, "a", "b"]);
    },
  );

  it.each<[string, Partial<RunHead>]>([
    ["cases", { setDigest: "e" }],
    ["a number of repeats", { repeats: 3 }],
    ["a judge's rubric", { judges: { tone: { version: "1", model: "a/judge-1", rubricDigest: "d2" } } }],
    ["no judge any more", { judges: {} }],
    ["a model", { capabilities: { answer: { version: "1", prompt: "2", model: "a/c" } } }],
    ["a version", { capabilities: { answer: { version: "2", prompt: "2", model: "a/b" } } }],
  ])("refuses to go on over another of %s, and leaves it as it is", async (_what, part) => {
    await killedAfter(line("a", 1));
    const before = await readFile(path(), "utf8");
    await expect(openRun(folder, { head: { ...head, ...part }, resume: true })).rejects.toMatchObject({ code: "bad_request" });
    expect(await readFile(path(), "utf8")).toBe(before);
  });

  it("plays a repeat again that broke, as when the run was being ended", async () => {
    const broken = {
      ...line("b", 1),
      repeat: { ...line("b", 1).repeat, passed: false, fault: { code: "service_unavailable", message: "gone" } },
    };
    await killedAfter(line("a", 1), broken);
    const again = await openRun(folder, { head, resume: true });
    expect(again.finished).toEqual([line("a", 1)]);
    await again.close();
  });

  it("begins anew where it is not told to go on", async () => {
    await killedAfter(line("a", 1));
    const anew = await openRun(folder, { head, resume: false });
    expect(anew.finished).toEqual([]);
    await anew.close();
  });

  it("refuses a file that is damaged", async () => {
    await writeFile(path(), "nonsense\n");
    await expect(openRun(folder, { head, resume: true })).rejects.toMatchObject({ code: "bad_request" });
  });
});
