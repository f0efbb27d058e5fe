import { appendFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import refunds from "../../examples/refunds/project.ts";
import { followSent } from "../../src/cli/sent-requests.ts";
import { openTrial } from "../../src/cli/trial.ts";
import type { Project } from "../../src/define/project.ts";
import { referenceTimeOf } from "../../src/server/requests.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-trial-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const project: Project = refunds;
const env = (setting: unknown, environment = "demo") => ({
  COUNTERSIGN_ENVIRONMENT: environment,
  COUNTERSIGN_TRIAL: typeof setting === "string" ? setting : JSON.stringify(setting),
});

describe("openTrial", () => {
  it("is none where nothing is set, and the project stays as it is", () => {
    expect(openTrial(project, { COUNTERSIGN_ENVIRONMENT: "production" })).toEqual({ trial: null, project });
  });

  it.each(["production", "development", "staging"])("is refused in the environment %s", (environment) => {
    expect(() => openTrial(project, env({ sent: "x" }, environment))).toThrow(
      expect.objectContaining({ code: "configuration_invalid" }),
    );
  });

  it.each(["{", "[]", { sent: "" }, { sent: "x", more: 1 }])("is refused in another form: %j", (setting) => {
    expect(() => openTrial(project, env(setting))).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
  });

  it("asks another model of all capabilities that ask one, or of the one that is named", () => {
    const model = { provider: "other", id: "m-2026-11-30" };
    const idsOf = ({ capabilities }: Project) =>
      Object.fromEntries(
        capabilities.flatMap(({ name, deciding }) => (deciding.kind === "rule" ? [] : [[name, deciding.model.id]])),
      );
    const all = idsOf(openTrial(project, env({ sent: "x", model })).project);
    expect(new Set(Object.values(all))).toEqual(new Set([model.id]));
    const one = idsOf(openTrial(project, env({ sent: "x", model, capability: "refund_order" })).project);
    expect(one["refund_order"]).toBe(model.id);
    expect(
      Object.entries(one)
        .filter(([name]) => name !== "refund_order")
        .every(([, id]) => id !== model.id),
    ).toBe(true);
  });
});

describe("what models were sent", () => {
  it("is found by the digests of a decision's requests, as it is written", async () => {
    const path = join(folder, "sent.jsonl");
    const { trial } = openTrial(project, env({ sent: path }));
    const requests = followSent(path);
    const replied = (requestDigest: string) => ({ requestDigest, fault: null });
    const sent = { of: async (digests: readonly string[]) => (await requests.of(digests.map(replied))).sent };
    expect(await sent.of(["a"])).toEqual([]);
    trial?.onSent({ digest: "a", text: "one\ntwo" });
    trial?.onSent({ digest: "b", text: "three" });
    expect(await sent.of(["a", "a"])).toEqual(["one\ntwo"]);
    trial?.onSent({ digest: "a", text: "four" });
    // A line that is being written is read once it is whole.
    const whole = `${JSON.stringify({ digest: "b", text: "fünf" })}\n`;
    await appendFile(path, whole.slice(0, 20));
    expect(await sent.of(["b"])).toEqual(["three"]);
    await appendFile(path, whole.slice(20));
    expect(await sent.of(["b", "a"])).toEqual(["three", "fünf", "one\ntwo", "four"]);
    expect((await readFile(path, "utf8")).split("\n").length).toBe(5);
  });

  it("is not known of a reply whose request is not there, whatever else was sent", async () => {
    const path = join(folder, "sent.jsonl");
    const { trial } = openTrial(project, env({ sent: path }));
    const sent = followSent(path);
    const call = (requestDigest: string, fault: string | null = null) => ({ requestDigest, fault });
    expect(await sent.of([call("a")])).toEqual({ sent: [], unknownSent: 1 });
    trial?.onSent({ digest: "a", text: "one" });
    expect(await sent.of([call("a"), call("b")])).toEqual({ sent: ["one"], unknownSent: 1 });
    // Two replies to the same request were two sends; what a budget held back was none.
    expect(await sent.of([call("a"), call("a"), call("b", "over_budget")])).toEqual({ sent: ["one"], unknownSent: 1 });
    expect(await sent.of([call("a"), call("b", "over_budget")])).toEqual({ sent: ["one"], unknownSent: 0 });
    expect(await sent.of([])).toEqual({ sent: [], unknownSent: 0 });
  });
});

describe("referenceTimeOf", () => {
  it("reads an instant in UTC, and nothing else", () => {
    expect(referenceTimeOf(undefined)).toBeNull();
    expect(referenceTimeOf("2026-03-01T09:00:00Z")).toBe(Date.UTC(2026, 2, 1, 9));
    for (const other of ["yesterday", "2026-03-01", "2026-02-30T00:00:00Z", "2026-03-01T09:00:00", ""])
      expect(() => referenceTimeOf(other)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });
});
