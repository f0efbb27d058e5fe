import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { McpSourceOptions } from "../../../src/know/mcp/mcp-source.ts";
import { credential, httpTracker, pinsOf, reading, stdioTracker, type Tracker, withTool } from "./reading-tracker.ts";
import { failingWords } from "./tracker.ts";

const slow = { timeout: 60_000 };

describe.each([
  ["over its standard streams", stdioTracker],
  ["over streamable HTTP", httpTracker],
] as const)("a tracker %s", (_, open) => {
  let tracker: Tracker;
  beforeAll(async () => {
    tracker = await open();
  });
  afterAll(() => tracker.close());

  const reads = async (tool: string, params = {}, own: Partial<McpSourceOptions> = {}) => {
    const { read, close } = reading(tracker.source(own));
    try {
      return await read(tool, params);
    } finally {
      await close();
    }
  };
  const fault = (tool: string) =>
    reads(tool, {}, withTool(tool)).then(
      () => null,
      (thrown: Error) => thrown,
    );

  it("gives the members of the one list of a structured answer as rows", slow, async () => {
    const rows = await reads("search", { words: "lamp" });
    expect(rows.map(({ row }) => row)).toEqual([
      { number: 7, title: "about lamp" },
      { number: 8, title: "the fan" },
    ]);
    expect(rows[0]).toMatchObject({ query: "mcp.tracker.search", title: "search (tracker)", labels: {} });
    expect(rows[0]?.id).toMatch(/^mcp\.tracker\.search:[0-9a-f]{16}$/);
  });

  it("gives any other structured answer as one row, with the labels and keys that the author says", slow, async () => {
    const labels = { number: "system", state: "system" } as const;
    const ticket = { labels, title: "Tracker", key: (row: object) => String("number" in row ? row.number : "") };
    expect(await reads("ticket", { number: 7 }, { tools: { ticket } })).toMatchObject([
      { id: "mcp.tracker.ticket:7", title: "Tracker", row: { number: 7, title: "the lamp", state: "open" }, labels },
    ]);
  });

  it("gives texts as rows where there is no structured answer", slow, async () => {
    const own = { pins: pinsOf("note"), tools: { note: { isRead: "the vendor says so" } } };
    expect((await reads("note", { number: 7 }, own)).map(({ row }) => row)).toEqual([
      { text: "It flickers." },
      { text: "It is dark." },
    ]);
  });

  it.each(["fails", "throws", "picture", "credential"])(
    "fails typed, without a word of the server's, where it %s",
    slow,
    async (tool) => {
      const thrown = await fault(tool);
      expect(thrown).toMatchObject({ code: "record_unavailable", facts: { query: `mcp.tracker.${tool}` } });
      const said = wholeOf(thrown);
      for (const word of [failingWords, credential]) expect(said).not.toContain(word);
    },
  );

  it("ends an answer of 100 MB long before all of it is here, and reads on by a connection made anew", slow, async () => {
    const { read, close } = reading(tracker.source(withTool("flood")));
    const thrown = await read("flood").catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "record_unavailable", cause: { facts: { trouble: "flood" } } });
    expect(wholeOf(thrown)).not.toContain("xxxxxxxx");
    expect(await read("search", { words: "lamp" })).toHaveLength(2);
    await close();
  });

  it("answers nothing that the server asks: no roots, sampling or elicitation", slow, async () => {
    expect((await reads("asks", {}, withTool("asks"))).map(({ row }) => row)).toEqual([{ says: "refused" }]);
  });

  it("reads what others read at the same time over one connection", slow, async () => {
    const { read, close } = reading(tracker.source());
    const all = await Promise.all([1, 2, 3, 4, 5].map((number) => read("ticket", { number })));
    expect(all.map(([one]) => one?.row["number"])).toEqual([1, 2, 3, 4, 5]);
    await close();
  });
});

it("gives up a server that hangs within the time of its source, and reads on", slow, async () => {
  const tracker = await httpTracker();
  const { read, close } = reading(tracker.source({ ...withTool("hangs"), timeoutMs: 3_000 }));
  await expect(read("hangs")).rejects.toMatchObject({ cause: { facts: { trouble: "late" } } });
  expect(await read("search", { words: "lamp" })).toHaveLength(2);
  await close();
  await tracker.close();
});

/** All that is told of an error, to whoever looks into it. */
function wholeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return `${thrown.name} ${thrown.message} ${thrown.stack} ${JSON.stringify(thrown)} ${wholeOf(thrown.cause)}`;
}
