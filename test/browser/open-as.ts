import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A browser window of one person who has signed in, and what went wrong in it. */
export interface Window {
  readonly page: Page;
  /** Errors of the page and of its console, and what its security policy refused; those of a lost connection are left out. */
  readonly complaints: readonly string[];
}

/** Opens a window of its own and signs in as a person of the demo, by their name. */
export async function openAs(
  browser: Browser,
  url: string,
  person: string,
  options: BrowserContextOptions = {},
): Promise<Window> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    // A browser itself writes down every request that failed: a refusal is an answer, and a lost connection is tried on purpose.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) complaints.push(text);
  });
  page.on("response", (response) => {
    const isMissing = response.status() === 404 && new URL(response.url()).pathname.startsWith("/console/");
    if (response.status() >= 500 || isMissing) complaints.push(`${response.status()} of ${response.url()}`);
  });
  await page.goto(`${url}/sign-in`);
  await page.getByRole("button", { name: person }).click();
  await page.waitForURL((address) => address.pathname !== "/sign-in");
  return { page, complaints };
}
