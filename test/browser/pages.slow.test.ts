import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Launched, launchBrowser } from "./launch.ts";
import { openAs, type Window } from "./open-as.ts";
import { type RunningProject, startProject } from "./project.ts";

// Every page of the rail, as an owner or a reviewer sees it over the demo: nothing fails, axe finds nothing serious, nothing reaches beyond
// the window. Pictures of all of them stand in test/browser/pictures afterwards.
const pictures = fileURLToPath(new URL("pictures", import.meta.url));
const looks = [
  { name: "light", width: 1440, height: 900, colorScheme: "light" },
  { name: "dark", width: 1100, height: 800, colorScheme: "dark" },
  { name: "phone", width: 360, height: 740, colorScheme: "light" },
] as const;
const pages: readonly (readonly [path: string, person: "owner" | "reviewer"])[] = [
  ...["/", "/ask", "/review", "/review?filter=second", "/review-health", "/decisions"].map((path) => [path, "reviewer"] as const),
  ...["/cases", "/operations", "/ledger", "/search", "/facts", "/evals"].map((path) => [path, "owner"] as const),
  ...["/autonomy", "/spend", "/models", "/policies", "/stop", "/settings"].map((path) => [path, "owner"] as const),
];
const names = { owner: "Sanna Virtanen", reviewer: "Jonas Albrecht" } as const;

let launched: Launched;
let project: RunningProject | undefined;

beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  launched = await launchBrowser();
  if (launched.kind === "none") return;
  project = await startProject();
  const { page } = await openAs(launched.browser, project.url, "Mira Okafor");
  for (const request of [
    "My laptop is worn out, please replace it",
    "How old does a laptop have to be before I get a new one?",
  ]) {
    await page.getByLabel("Ask a question, or say what you need").fill(request);
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByRole("article", { name: request }).waitFor();
  }
  await page.context().close();
}, 120_000);
afterAll(async () => {
  if (launched.kind === "started") await launched.browser.close();
  await project?.stop();
}, 60_000);

/** What axe finds serious or critical, each with the first element. */
async function seriousOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; impact: string; html: string }[]>(
    `axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0].html })))`,
  );
  return found.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, html }) => `${id}: ${html}`);
}

describe.each(looks)("in $name at $width px", ({ name, width, height, colorScheme }) => {
  const windows = new Map<string, Window>();
  afterAll(async () => {
    for (const { page } of windows.values()) await page.context().close();
  });

  it.each(pages)("%s opens whole", { timeout: 60_000 }, async (path, person) => {
    if (launched.kind === "none" || project === undefined) throw new Error("no browser can start here");
    const window =
      windows.get(person) ??
      (await openAs(launched.browser, project.url, names[person], { viewport: { width, height }, colorScheme }));
    windows.set(person, window);
    const { page, complaints } = window;
    await page.goto(`${project.url}${path}`);
    await page.locator("main h1").first().waitFor();
    await page
      .locator("main [role=status]")
      .filter({ hasText: /^Reading/ })
      .waitFor({ state: "detached" });
    await page.screenshot({ path: `${pictures}/${path === "/" ? "ask" : path.slice(1).replace(/[^a-z]+/g, "-")}-${name}.png` });
    expect(await page.locator("h1").count()).toBe(1);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(await seriousOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
