import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { openParser, type Parser, parserRights, usualParseLimits } from "../../../src/know/ingest/parse-apart.ts";
import { makePdf, makeZip } from "./make-files.ts";

const opened: Parser[] = [];
afterEach(() => {
  for (const parser of opened.splice(0)) parser.close();
});

function parserWith(limits: Partial<typeof usualParseLimits>): Parser {
  const parser = openParser({ ...usualParseLimits, ...limits });
  opened.push(parser);
  return parser;
}

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "none",
    (thrown: { fault?: string }) => thrown.fault ?? String(thrown),
  );
const longPdf = () => makePdf(Array.from({ length: 400 }, (_, place) => [`page ${place}`, "more"]));
const good = { format: "text", bytes: Buffer.from("still here") } as const;

describe("a file that would stop the reader", () => {
  test("is ended by its memory, where an archive lies about its size; the next file is read", async () => {
    const parser = parserWith({ memoryBytes: 250 * 1024 * 1024 });
    const bomb = makeZip([{ name: "word/document.xml", data: Buffer.alloc(400 * 1024 * 1024, " "), claims: 1_000 }]);
    expect(bomb.byteLength).toBeLessThan(1024 * 1024);
    expect(await faultOf(parser.parse({ format: "docx", bytes: bomb }))).toBe("too_much_memory");
    expect((await parser.parse(good)).blocks[0]?.text).toBe("still here");
  });

  test("is ended by its time; the next file is read", async () => {
    const parser = parserWith({ silenceMs: 1 });
    const long = makePdf(Array.from({ length: 300 }, (_, place) => [`page ${place}`, "more"]));
    expect(await faultOf(parser.parse({ format: "pdf", bytes: long }))).toBe("too_long");
    const patient = parserWith({});
    expect((await patient.parse({ format: "pdf", bytes: long })).pages).toBe(300);
  });

  test("does not slow a parser down by what it repeats", async () => {
    const parser = parserWith({ silenceMs: 20_000 });
    const texts = [
      "<".repeat(200_000),
      "[".repeat(100_000),
      `${"*a".repeat(50_000)}`,
      "| a ".repeat(50_000),
      "> ".repeat(20_000),
    ];
    for (const text of texts) {
      const format = text.startsWith("<") ? "html" : "markdown";
      expect(["none", "no_text", "broken"]).toContain(await faultOf(parser.parse({ format, bytes: Buffer.from(`x ${text}`) })));
    }
  });
});

describe("the process that reads", () => {
  test("has no environment, may open no file but the program's own, and starts no process", async () => {
    const script = `
      const tried = {};
      const attempt = (name, work) => { try { work(); tried[name] = "done"; } catch (thrown) { tried[name] = thrown.code; } };
      attempt("reads", () => require("node:fs").readFileSync("/etc/hostname"));
      attempt("writes", () => require("node:fs").writeFileSync("/tmp/written-by-a-parser", ""));
      attempt("spawns", () => require("node:child_process").execFileSync("true"));
      console.log(JSON.stringify({ ...tried, environment: Object.keys(process.env) }));`;
    const said = await new Promise<string>((resolve, reject) =>
      execFile(process.execPath, [...parserRights(), "--eval", script], { env: {} }, (failure, stdout) =>
        failure === null ? resolve(stdout) : reject(failure),
      ),
    );
    expect(JSON.parse(said)).toEqual({
      ...{ reads: "ERR_ACCESS_DENIED", writes: "ERR_ACCESS_DENIED", spawns: "ERR_ACCESS_DENIED" },
      environment: [],
    });
  });

  test("is replaced when it dies between two files", async () => {
    const parser = parserWith({});
    await parser.parse(good);
    const pid = parser.pid();
    if (pid === undefined) throw new Error("there is no process");
    const gone = new Promise<void>((resolve) => {
      const look = setInterval(() => {
        try {
          process.kill(pid, 0);
        } catch {
          clearInterval(look);
          resolve();
        }
      }, 5);
    });
    process.kill(pid, "SIGKILL");
    await gone;
    expect((await parser.parse(good)).blocks[0]?.text).toBe("still here");
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("says nothing of a file when it is ended by %s amid it", async (signal) => {
    const parser = parserWith({});
    const onPage = (page: number): void => {
      const pid = parser.pid();
      if (page === 3 && pid !== undefined) process.kill(pid, signal);
    };
    const bytes = longPdf();
    expect(await faultOf(parser.parse({ format: "pdf", bytes, onPage }))).toBe("not_read");
    expect((await parser.parse({ format: "pdf", bytes })).pages).toBe(400);
  });

  test("says nothing of a file when it is closed amid it, and stays closed", async () => {
    const parser = parserWith({});
    const closing = parser.parse({ format: "pdf", bytes: longPdf(), onPage: (page) => page === 3 && parser.close() });
    expect(await faultOf(closing)).toBe("not_read");
    expect(await faultOf(parser.parse(good))).toBe("not_read");
    expect(parser.pid()).toBeUndefined();
  });

  test("says nothing of a file whose parser is not there, and reads the others", async () => {
    const folder = await mkdtemp(join(tmpdir(), "countersign-incomplete-"));
    try {
      const from = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
      for (const path of ["src/know/ingest", "src/contract", "node_modules/zod", "package.json"])
        await cp(from(path), join(folder, path), { recursive: true });
      const present = await readdir(join(folder, "node_modules"));
      expect(present).toEqual(["zod"]);
      const pdf = longPdf().toString("base64");
      await writeFile(
        join(folder, "ask.ts"),
        `import { openParser } from "./src/know/ingest/parse-apart.ts";
         const parser = openParser();
         const faults = [];
         for (const [format, bytes] of [["pdf", Buffer.from("${pdf}", "base64")], ["markdown", Buffer.from("x")], ["text", Buffer.from("x")]])
           await parser.parse({ format, bytes }).then(() => faults.push("none"), (thrown) => faults.push(thrown.fault ?? String(thrown)));
         parser.close();
         console.log(JSON.stringify(faults));`,
      );
      const said = await new Promise<string>((resolve, reject) =>
        execFile(process.execPath, [join(folder, "ask.ts")], (failure, stdout) =>
          failure === null ? resolve(stdout) : reject(failure),
        ),
      );
      expect(JSON.parse(said)).toEqual(["not_read", "not_read", "none"]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
