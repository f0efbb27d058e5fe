import { existsSync } from "node:fs";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

const system = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"];

/** What the package sets for small machines and takes from the browser what is tried here: windows of their own, and the web's rules. */
const loose = [
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content",
  "--disable-site-isolation-trials",
  "--disable-features",
];

/** A browser, or the reason why none can start on this machine. */
export type Launched =
  | { readonly kind: "started"; readonly browser: Browser }
  | { readonly kind: "none"; readonly reason: string };

/** Starts the Chromium of the npm package, or the system's where that one lacks libraries. */
export async function launchBrowser(): Promise<Launched> {
  const reasons: string[] = [];
  for (const find of [
    () => chromium.executablePath(),
    ...system.filter((path) => existsSync(path)).map((path) => async () => path),
  ]) {
    try {
      // Root may not use Chromium's own sandbox; the pages are ours.
      const browser = await playwright.launch({
        executablePath: await find(),
        args: [...chromium.args.filter((argument) => !loose.includes(argument.split("=")[0] ?? "")), "--no-sandbox"],
        headless: true,
      });
      return { kind: "started", browser };
    } catch (thrown) {
      reasons.push(thrown instanceof Error ? (thrown.message.split("\n")[0] ?? "") : String(thrown));
    }
  }
  return { kind: "none", reason: reasons.join("; ") };
}
