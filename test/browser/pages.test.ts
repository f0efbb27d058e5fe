import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Launched, launchBrowser } from "./launch.ts";
import { type RunningProject, startProject } from "./project.ts";

let launched: Launched;
let project: RunningProject | undefined;

beforeAll(async () => {
  launched = await launchBrowser();
  if (launched.kind === "started") project = await startProject();
}, 120_000);
afterAll(async () => {
  if (launched.kind === "started") await launched.browser.close();
  await project?.stop();
}, 60_000);

/** Names a folder to look at what the test saw. */
const pictures = process.env["COUNTERSIGN_TEST_PICTURES"];

interface Look {
  readonly width: number;
  readonly colorScheme: "light" | "dark";
  /** Each look asks for something else, since one device is replaced once. */
  readonly request: string;
  readonly summary: RegExp;
}

const looks: readonly Look[] = [
  { width: 1280, colorScheme: "light", request: "My laptop is worn out, please replace it", summary: /Replace the laptop/ },
  { width: 360, colorScheme: "dark", request: "One of my screens flickers, replace it", summary: /Replace the monitor/ },
];

describe.each(looks)("at $width px, $colorScheme", ({ width, colorScheme, request, summary }) => {
  it("signs in, asks, approves and sees the verdict of a separate read", { timeout: 120_000 }, async (context) => {
    if (launched.kind === "none" || project === undefined)
      return context.skip(`no browser can start here: ${launched.kind === "none" ? launched.reason : ""}`);
    const { url } = project;
    const open = async (person: string) => {
      if (launched.kind === "none") throw new Error("unreachable");
      const page = await (await launched.browser.newContext({ viewport: { width, height: 800 }, colorScheme })).newPage();
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(url);
      await page.getByRole("button", { name: person }).click();
      return { page, complaints };
    };
    const asker = await open("Mira Okafor");
    await asker.page.getByLabel("Ask a question, or say what you need").fill(request);
    await asker.page.getByRole("button", { name: "Ask", exact: true }).click();
    const card = asker.page.getByRole("article", { name: request });
    await card.getByText("Proposed, not done.").waitFor();
    await see(asker.page, `ask-${width}`);

    const reviewer = await open("Jonas Albrecht");
    const { page } = reviewer;
    await page.getByRole("link", { name: /^Review/ }).click();
    await see(page, `queue-${width}`);
    await page.getByRole("navigation", { name: "Review queue" }).getByRole("link", { name: summary }).click();
    await page.getByRole("heading", { level: 1, name: summary }).waitFor();
    // Neither answer has focus when an item opens, and both weigh the same once the page has its style.
    await page.waitForLoadState("load");
    expect(await page.evaluate<string>("document.activeElement.tagName")).toBe("BODY");
    const [approve, reject] = await Promise.all([boxOf(page, /^Approve/), boxOf(page, /^Reject/)]);
    expect([approve?.width, approve?.height]).toEqual([reject?.width, reject?.height]);
    await see(page, `item-${width}`);
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.waitForURL(/step=approve/);
    await see(page, `confirm-${width}`);
    await page.getByRole("button", { name: /^Sign \d/ }).click();
    await page.waitForURL((address) => address.search === "");
    await page.getByText("Proposed, not done").waitFor({ state: "detached" });
    // The words change in place; nothing is loaded again.
    await page.evaluate("document.body.dataset.samePage = 'yes'");
    await page.getByText("Every effect was seen as complete by a separate read.", { exact: true }).waitFor({ timeout: 60_000 });
    expect(await page.locator("body").getAttribute("data-same-page")).toBe("yes");
    await see(page, `done-${width}`);

    await card.getByText("Done", { exact: true }).first().waitFor({ timeout: 30_000 });
    await card.getByRole("link", { name: /How it was decided/ }).click();
    await asker.page.getByText("Jonas Albrecht").first().waitFor();
    await see(asker.page, `decision-${width}`);
    expect([...asker.complaints, ...reviewer.complaints]).toEqual([]);
  });
});

function boxOf(page: Page, name: RegExp) {
  return page.getByRole("button", { name }).boundingBox();
}

/** Nothing may reach beyond the window's width. */
async function see(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("load");
  const beyond = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect(beyond, name).toBeLessThanOrEqual(0);
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}
