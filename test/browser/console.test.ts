import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { type Launched, launchBrowser } from "./launch.ts";
import { openAs } from "./open-as.ts";
import { type RunningProject, startProject } from "./project.ts";

// The built console over the demo: real processes, real PostgreSQL, a real browser. The model is the demo's script.
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

const asker = "Mira Okafor";
const reviewer = "Jonas Albrecht";
const owner = "Sanna Virtanen";
const timeout = 90_000;

/** Opens a window for a person; where no browser can start the test is passed over, and in CI it fails. */
async function open(context: TestContext, person: string) {
  if (launched.kind === "none" || project === undefined) {
    const why = `no browser can start here: ${launched.kind === "none" ? launched.reason : ""}`;
    if (process.env["CI"] !== undefined) throw new Error(why);
    return context.skip(why);
  }
  const window = await openAs(launched.browser, project.url, person);
  return { ...window, url: project.url };
}

async function ask(page: Page, request: string) {
  await page.getByLabel("Ask a question, or say what you need").fill(request);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  const card = page.getByRole("article", { name: request }).first();
  await card.waitFor();
  return card;
}

async function openItem(page: Page, url: string, summary: RegExp): Promise<void> {
  await page.goto(`${url}/review`);
  await page.getByRole("option", { name: summary }).first().click();
  await page.getByRole("heading", { level: 1, name: summary }).waitFor();
}

describe("the console", () => {
  it("answers with sources, and opens one beside the answer", { timeout }, async (context) => {
    const { page, complaints } = await open(context, asker);
    const card = await ask(page, "How old does a laptop have to be before I get a new one?");
    await card
      .getByText(/36 months|three years|3 years/i)
      .first()
      .waitFor();
    await card
      .getByRole("button", { name: /^Source 1|^1\b/ })
      .first()
      .click();
    await page.waitForURL(/source=/);
    // What somebody sees stands in the address: the same page again shows the same.
    await page.reload();
    await page
      .getByText(/Device policy/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("carries a request from asking over a signature to what a separate read saw, live and by keyboard", {
    timeout,
  }, async (context) => {
    const asking = await open(context, asker);
    const card = await ask(asking.page, "My laptop is worn out, please replace it");
    await card.getByText("Proposed, not done.").waitFor();
    await asking.page.evaluate("document.body.dataset.samePage = 'yes'");

    const { page, url, complaints } = await open(context, reviewer);
    await openItem(page, url, /Replace the laptop/);
    const boxes = await Promise.all([/^Approve/, /^Reject/].map((name) => page.getByRole("button", { name }).boundingBox()));
    expect([boxes[0]?.width, boxes[0]?.height]).toEqual([boxes[1]?.width, boxes[1]?.height]);
    // A signing key counts once the item was there to be seen for a moment; `a` again does nothing, only `enter` signs.
    const confirm = page.getByRole("button", { name: /^Sign \d/ });
    await expect.poll(() => page.keyboard.press("a").then(() => confirm.isVisible())).toBe(true);
    await page.keyboard.press("a");
    expect(await confirm.isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    await card.getByText("Done", { exact: true }).first().waitFor({ timeout: 60_000 });
    expect(await asking.page.locator("body").getAttribute("data-same-page")).toBe("yes");

    await card.getByRole("link", { name: /How it was decided/ }).click();
    await asking.page.getByRole("heading", { level: 1 }).waitFor();
    await asking.page.getByText(reviewer).first().waitFor();
    expect([...asking.complaints, ...complaints]).toEqual([]);
  });

  it("lets a person reject with a reason, which whoever asked reads", { timeout }, async (context) => {
    const asking = await open(context, asker);
    const card = await ask(asking.page, "One of my screens flickers, replace it");
    await card.getByText("Proposed, not done.").waitFor();
    const { page, url, complaints } = await open(context, reviewer);
    // What a person has to judge for themselves shows no proposal before they did, so it is known by what was asked.
    await openItem(page, url, /screens flickers/);
    await page.getByRole("button", { name: /^Reject/ }).click();
    await page.getByLabel("One sentence").fill("<img src=x onerror=alert(1)> try another cable first");
    await page.getByRole("button", { name: /^Reject the/ }).click();
    await card.getByText("Rejected", { exact: true }).first().waitFor({ timeout: 30_000 });
    await card.getByRole("link", { name: /How it was decided/ }).click();
    // Text is text: the tag of the reason is read, and is none.
    await asking.page
      .getByText(/<img src=x onerror=alert\(1\)> try another cable first/)
      .first()
      .waitFor();
    expect(await asking.page.locator("img[src='x']").count()).toBe(0);
    expect([...asking.complaints, ...complaints]).toEqual([]);
  });

  it("closes signing while the desk cannot be reached, and opens it again by itself", { timeout }, async (context) => {
    const asking = await open(context, asker);
    const card = await ask(asking.page, "Why is my laptop slow, and slow again after every restart?");
    await card.getByText("A person has to decide.").waitFor();
    const { page, url, complaints } = await open(context, reviewer);
    await page.goto(`${url}/review`);
    await page.getByRole("option").first().click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/Connection lost/).waitFor({ timeout: 60_000 });
    expect(await page.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /^Reject/ }).isDisabled()).toBe(true);
    await page.context().setOffline(false);
    await page.getByText(/Connection lost/).waitFor({ state: "detached", timeout: 60_000 });
    await expect.poll(() => page.getByRole("button", { name: /^Reject/ }).isEnabled(), { timeout: 20_000 }).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("shows everybody who signs that something is stopped, at once, and that it goes on", { timeout }, async (context) => {
    const reviewing = await open(context, reviewer);
    await reviewing.page.goto(`${reviewing.url}/review`);
    const { page, url, complaints } = await open(context, owner);
    await page.goto(`${url}/stop?name=order_replacement`);
    await page.getByRole("button", { name: /^Stop order_replacement/ }).click();
    await page.getByRole("textbox").first().fill("two orders for one person, looking");
    await page.getByRole("button", { name: /^Stop order_replacement/ }).click();
    await reviewing.page.getByText(/The effect order_replacement is stopped/).waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: /^Lift/ }).first().click();
    await page.getByRole("textbox").first().fill("it was one order, seen twice");
    await page.getByRole("button", { name: /^Lift/ }).last().click();
    await reviewing.page.getByText(/The effect order_replacement is stopped/).waitFor({ state: "detached", timeout: 30_000 });
    expect([...reviewing.complaints, ...complaints]).toEqual([]);
  });

  it("shows whoever only asks no page of those who sign, and not by its address either", { timeout }, async (context) => {
    const { page, url, complaints } = await open(context, asker);
    const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    await links.first().waitFor();
    expect(await links.allTextContents()).toEqual(["Ask", "Cases", "Settings"]);
    for (const path of [
      ...["/review", "/review-health", "/ledger", "/operations", "/search", "/facts"],
      ...["/evals", "/autonomy", "/spend", "/models", "/policies", "/stop"],
    ]) {
      await page.goto(`${url}${path}`);
      await page
        .getByText(/not open to you/i)
        .first()
        .waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
