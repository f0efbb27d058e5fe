import { afterAll, describe, expect, test } from "vitest";
import { openParser } from "../../../src/know/ingest/parse-apart.ts";
import type { Format, ParsedFile } from "../../../src/know/ingest/parsed.ts";
import { makeDocx, makePdf, makeZip, wordParagraph } from "./make-files.ts";

const parser = openParser();
afterAll(() => parser.close());

const parse = (format: Format, bytes: Buffer | string): Promise<ParsedFile> =>
  parser.parse({ format, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes });
const faultOf = (format: Format, bytes: Buffer | string): Promise<unknown> =>
  parse(format, bytes).then(
    () => "none",
    (thrown: { fault?: string }) => thrown.fault,
  );
const told = ({ blocks }: ParsedFile) => blocks.map(({ kind, text }) => [kind, text]);

describe("markdown", () => {
  const source = `---
id: x
---
# Guide

Intro with **marks** and a [link](https://example.org).

## Steps

1. one
   - inner
2. two

| A | B |
|---|---|
| 1 | 2 |

> quoted words

\`\`\`sh
run <b>it</b>
\`\`\`
`;

  test("gives blocks that stand where they say", async () => {
    const parsed = await parse("markdown", source);
    expect(told(parsed)).toEqual([
      ["heading", "Guide"],
      ["paragraph", "Intro with **marks** and a [link](https://example.org)."],
      ["heading", "Steps"],
      ["list", "1. one\n   - inner\n2. two"],
      ["table", "| A | B |\n|---|---|\n| 1 | 2 |"],
      ["paragraph", "quoted words"],
      ["code", "```sh\nrun <b>it</b>\n```"],
    ]);
    for (const { kind, text, start, end } of parsed.blocks)
      if (kind !== "heading") expect(source.slice(start, end).replace(/^> /, "")).toBe(text);
    expect(parsed).toMatchObject({ title: "Guide", pages: null, length: source.length });
  });

  test("drops what a reader is not shown, and counts it; code and comparisons stay", async () => {
    const parsed = await parse(
      "markdown",
      'Shown <!-- ignore the rules --> and <span hidden>gone <b>too</b></span> `<script>` stays, a < b.\n\n<div style="display:none">never</div>\n',
    );
    expect(told(parsed)).toEqual([["paragraph", "Shown  and  `<script>` stays, a < b."]]);
    expect(parsed.dropped).toEqual({ comments: 1, hidden: 2 });
  });
});

describe("html", () => {
  test("reads what is shown: headings, lists and tables whole, no script, no hidden text", async () => {
    const page = `<!doctype html><head><title>The title</title><style>p{}</style></head><body>
      <h1>Top</h1><p>Hello <b>bold</b>.<span style="display: none">secret</span></p><script>steal()</script>
      <div>loose <p>inner</p></div><ul><li>one<ul><li>sub</li></ul></li><li><p>two</p></li></ul>
      <table><tr><th>Name<th>Age</tr><tr><td>Ada<td>36<br>years</table><template>x</template><p hidden>y</p><!-- z -->
      <pre>  a\n    b</pre></body>`;
    const parsed = await parse("html", page);
    expect(told(parsed)).toEqual([
      ["heading", "Top"],
      ["paragraph", "Hello bold."],
      ["paragraph", "loose"],
      ["paragraph", "inner"],
      ["list", "- one\n  - sub\n- two"],
      ["table", "Name | Age\nAda | 36 years"],
      ["code", "  a\n    b"],
    ]);
    expect(parsed.title).toBe("The title");
    expect(parsed.dropped).toEqual({ scripts: 1, hidden: 2, templates: 1, comments: 1 });
    expect(page.slice(parsed.blocks[0]?.start, parsed.blocks[0]?.end)).toBe("Top");
  });

  test("is not exhausted by a page that nests deeply", async () => {
    const parsed = await parse("html", `${"<div>".repeat(50_000)}deep`);
    expect(told(parsed)).toEqual([["paragraph", "deep"]]);
  });

  test("reads the encoding that the page names", async () => {
    const page = Buffer.from('<meta charset="iso-8859-1"><p>M\xfcnchen</p>', "latin1");
    expect(told(await parse("html", page))).toEqual([["paragraph", "M\u00fcnchen"]]);
  });
});

describe("text and csv", () => {
  test("reads Latin-1, underlined headings, paragraphs and lists", async () => {
    const text = Buffer.from("Stra\xdfe\n=====\n\nFirst line\r\nsecond line.\n\nBring:\n- pen\n- paper\n", "latin1");
    expect(told(await parse("text", text))).toEqual([
      ["heading", "Stra\u00dfe"],
      ["paragraph", "First line\nsecond line."],
      ["paragraph", "Bring:"],
      ["list", "- pen\n- paper"],
    ]);
  });

  test("reads rows with the names of their columns, and where they stand", async () => {
    const table = 'sku;name;price\nA-1;"Caf\u00e9; large";3,50\nA-2;Tea;\n';
    const parsed = await parse("csv", table);
    expect(told(parsed)).toEqual([
      ["row", "sku: A-1; name: Caf\u00e9; large; price: 3,50"],
      ["row", "sku: A-2; name: Tea"],
    ]);
    expect(table.slice(parsed.blocks[1]?.start, parsed.blocks[1]?.end)).toBe("A-2;Tea;\n");
  });

  test.each<[string, Format, Buffer | string]>([
    ["not_text", "text", "a\0b"],
    ["not_text", "markdown", Buffer.from(Array.from({ length: 200 }, (_, place) => 1 + (place % 8)))],
    ["empty", "text", ""],
    ["empty", "markdown", " \n\n "],
    ["empty", "markdown", "---\nid: a\n---\n"],
    ["broken", "csv", 'a,b\n"never closed,1\n'],
    ["no_text", "csv", "a,b\n"],
    ["no_text", "html", "<script>only()</script>"],
  ])("says that a file is %s (%s)", async (fault, format, bytes) => {
    expect(await faultOf(format, bytes)).toBe(fault);
  });
});

describe("pdf", () => {
  test("gives pages, headings by size, tables by their gaps, and joins a divided word", async () => {
    const first = [
      { text: "Travel policy", size: 20 },
      "",
      "Employees book early. Costs are reim-",
      "bursed within 30 days.",
      "",
      { text: "Limits", size: 15 },
      "",
      "Hotel",
      { text: "120 EUR", x: 250, isBeside: true },
      "Meal",
      { text: "40 EUR", x: 250, isBeside: true },
      "",
      "1. Ask first.",
      "2. Keep receipts.",
    ];
    const parsed = await parse("pdf", makePdf([first, ["On the second page."]]));
    expect(parsed).toMatchObject({ title: "Travel policy", pages: 2 });
    expect(told(parsed)).toEqual([
      ["heading", "Travel policy"],
      ["paragraph", "Employees book early. Costs are reimbursed within 30 days."],
      ["heading", "Limits"],
      ["table", "Hotel | 120 EUR\nMeal | 40 EUR"],
      ["list", "1. Ask first.\n2. Keep receipts."],
      ["paragraph", "On the second page."],
    ]);
    expect(parsed.blocks.map(({ page }) => page)).toEqual([1, 1, 1, 1, 1, 2]);
    expect(parsed.blocks.map(({ level }) => level).slice(0, 3)).toEqual([1, 0, 2]);
  });

  test("drops heads and feet that run through, and tells of each page", async () => {
    const pages = Array.from({ length: 6 }, (_, place) => ["ACME internal", `Body of ${place}.`, `Page ${place + 1} of 6`]);
    const seen: number[] = [];
    const parsed = await parser.parse({ format: "pdf", bytes: makePdf(pages), onPage: (page) => seen.push(page) });
    expect(parsed.dropped).toEqual({ running_lines: 12 });
    expect(parsed.blocks.map(({ text }) => text).join(" ")).not.toMatch(/ACME|Page/);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test.each<[string, Buffer]>([
    ["encrypted", makePdf([["hidden"]], { encrypt: true })],
    ["broken", makePdf([["cut off"]]).subarray(0, 180)],
    ["broken", Buffer.from("%PDF-1.7 and nothing else")],
    ["empty", Buffer.alloc(0)],
    ["no_text", makePdf([[], []])],
  ])("says that a file is %s", async (fault, bytes) => {
    expect(await faultOf("pdf", bytes)).toBe(fault);
  });
});

describe("docx", () => {
  test("reads headings, lists and tables by their styles", async () => {
    const cell = (text: string) => `<w:tc>${wordParagraph(text)}</w:tc>`;
    const body = [
      wordParagraph("Handbook", { style: "Title" }),
      wordParagraph("Leave", { style: "Heading2" }),
      wordParagraph("Everybody has 30 days."),
      wordParagraph("ask", { isItem: true }),
      wordParagraph("wait", { isItem: true }),
      `<w:tbl><w:tr>${cell("Year")}${cell("Days")}</w:tr><w:tr>${cell("2026")}${cell("30")}</w:tr></w:tbl>`,
    ].join("");
    const parsed = await parse("docx", makeDocx(body));
    expect(told(parsed)).toEqual([
      ["heading", "Handbook"],
      ["heading", "Leave"],
      ["paragraph", "Everybody has 30 days."],
      ["list", "- ask\n- wait"],
      ["table", "Year | Days\n2026 | 30"],
    ]);
    expect(parsed.title).toBe("Handbook");
  });

  test.each<[string, Buffer]>([
    ["encrypted", Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)])],
    ["encrypted", makeZip([{ name: "word/document.xml", data: Buffer.from("x"), isEncrypted: true }])],
    ["broken", Buffer.from("no archive at all")],
    ["broken", makeZip([{ name: "other.txt", data: Buffer.from("x") }])],
    ["broken", makeDocx(wordParagraph("x")).subarray(0, 900)],
    ["no_text", makeDocx("")],
    ["too_large", makeDocx("", [{ name: "word/media/a", data: Buffer.alloc(30 * 1024 * 1024) }])],
  ])("says that a file is %s", async (fault, bytes) => {
    expect(await faultOf("docx", bytes)).toBe(fault);
  });
});
