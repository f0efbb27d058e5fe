import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PlainBrowser } from "../http/desk-browser.ts";
import { newFolder, patience, remove, started } from "../start/installation.ts";
import { runJson } from "./command.ts";
import { putOwnProject } from "./own-project.ts";

// An installation in which nobody is known invites its first owner by a link that `start` prints. The tests build on each other.
let directory: string;
let project: string;
const links: string[] = [];
beforeAll(async () => {
  directory = await newFolder();
  project = join(directory, "..", "my-project");
  await putOwnProject(project);
});
afterAll(() => remove(directory), 60_000);

const begin = () => started(directory, { env: { COUNTERSIGN_PROJECT: project } });
const linkIn = (output: string) => /^ {2}(http\S+\/first-owner\?word=\S+)$/m.exec(output)?.[1];
const fields = (link: string) => ({
  ...{ word: new URL(link).searchParams.get("word") ?? "", tenant: "nova", tenantName: "Nova", id: "olga", name: "Olga Ström" },
});

test("a start prints a link while there is nobody, another one each time", patience, async () => {
  for (const _ of [1, 2]) {
    const running = await begin();
    links.push(linkIn(running.output()) ?? "");
    running.child.kill("SIGTERM");
    await running.ended;
  }
  expect(new Set(links).size).toBe(2);
  expect(links).not.toContain("");
});

test("the newest link makes the owner, whose key works at once, and no start prints one afterwards", patience, async () => {
  const running = await begin();
  const link = linkIn(running.output()) ?? "";
  const browser = new PlainBrowser(running.url);
  expect((await browser.post("/first-owner", fields(links[0] ?? ""))).status).toBe(403);
  const made = await browser.post("/first-owner", fields(link));
  expect(made.status).toBe(200);
  expect((await browser.post("/first-owner", fields(link))).status).toBe(403);
  const key = /csk_[\w-]{32}/.exec(made.html)?.[0] ?? "";
  const halts = await runJson(["halts", "--url", running.url, "--key", key]);
  expect(halts).toMatchObject({ code: 0 });
  running.child.kill("SIGTERM");
  await running.ended;
  const later = await begin();
  expect(linkIn(later.output())).toBeUndefined();
  expect(later.output()).not.toContain("first owner");
  later.child.kill("SIGTERM");
  await later.ended;
});
