import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { junitReport } from "../../src/evals/reports/junit-report.ts";
import { reportMaker } from "../../src/evals/reports/report-file.ts";
import { failedGate, hostile, sampleRun } from "../evals/reports/sample-run.ts";
import { launchBrowser } from "./launch.ts";

const launched = await launchBrowser();
let browser: Browser;
let folder: string;

beforeAll(async () => {
  if (launched.kind !== "started") return;
  browser = launched.browser;
  folder = await mkdtemp(join(tmpdir(), "countersign-report-"));
  await writeFile(
    join(folder, "run.html"),
    reportMaker("run.html")({ run: sampleRun(), gate: failedGate, baseline: sampleRun() }),
  );
});
afterAll(async () => {
  if (launched.kind !== "started") return;
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** What is used of a document in the browser; types of the browser are not loaded here. */
interface XmlDocument {
  readonly querySelectorAll: (selector: string) => { readonly length: number };
  readonly querySelector: (selector: string) => { readonly textContent: string } | null;
}

/** The page with whatever it asked for, logged or tried to run. */
async function opened(options: {
  colorScheme: "light" | "dark";
  width: number;
}): Promise<{ page: Page; seen: readonly string[] }> {
  const { colorScheme, width } = options;
  // Contexts stay open: where the browser is one process, closing one ends it.
  const page = await (await browser.newContext({ colorScheme, viewport: { width, height: 900 } })).newPage();
  const seen: string[] = [];
  page.on("console", (message) => seen.push(message.text()));
  page.on("dialog", (dialog) => {
    seen.push("dialog");
    return dialog.dismiss();
  });
  page.on("pageerror", (error) => seen.push(error.message));
  page.on("request", (request) => seen.push(...(request.url().endsWith("run.html") ? [] : [request.url()])));
  await page.goto(pathToFileURL(join(folder, "run.html")).href);
  return { page, seen };
}

describe.skipIf(launched.kind !== "started")("an HTML report in a browser", () => {
  it.each([
    ["light", 1200],
    ["dark", 1200],
    ["light", 380],
  ] as const)("opens by itself and fits, %s, %i wide", async (colorScheme, width) => {
    const { page, seen } = await opened({ colorScheme, width });
    expect(seen).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.locator("h1").textContent()).toBe("it-support");
    // The one style sheet is in force: its digest in the policy is right.
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(243, 245, 247)" : "rgb(15, 18, 22)");
  });

  it("shows failing traces open, with the hostile text as text", async () => {
    const { page } = await opened({ colorScheme: "light", width: 1200 });
    const failing = page.locator("details[open]", { hasText: "laptop-old-rule" }).first();
    expect(await failing.getByText("3 passages of 40 were ranked").first().isVisible()).toBe(true);
    expect(await failing.locator("blockquote").first().textContent()).toContain(
      "<script>alert(1)</script><img src=x onerror=alert(2)>",
    );
    expect(await page.locator("script, img").count()).toBe(0);
    expect(await page.locator("svg[role=img]").count()).toBe(3);
  });

  it("stands beside a JUnit report that an XML parser takes, with the same text in it", async () => {
    const { page } = await opened({ colorScheme: "light", width: 1200 });
    const parsed = await page.evaluate<{ errors: number; cases: number; text: string }, string>(
      (text) => {
        const Parser: new () => { parseFromString: (text: string, type: string) => XmlDocument } = Reflect.get(
          globalThis,
          "DOMParser",
        );
        const document = new Parser().parseFromString(text, "application/xml");
        return {
          errors: document.querySelectorAll("parsererror").length,
          cases: document.querySelectorAll("testcase").length,
          text: document.querySelector("failure")?.textContent ?? "",
        };
      },
      junitReport(sampleRun(), failedGate),
    );
    expect(parsed).toMatchObject({ errors: 0, cases: 31 });
    expect(parsed.text).toContain(hostile.slice(0, 60));
  });
});
