import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { putProject, source } from "../cli/check-project.ts";
import { until } from "../postgres/embedded/server.ts";
import { begin, environmentOf, newFolder, patience, processesOf, remove, run } from "./installation.ts";

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});
afterEach(() => remove(directory), 60_000);

const decide = `import { defineDeciding } from ${source("define/deciding")};
import { openAi } from ${source("gateway/providers/openai")};
const provider = openAi({ name: "openai", secret: "MODEL_KEY", api: "responses", constrain: "schema", boundary: "off" });
export default defineDeciding({ providers: [provider], records: [], hiddenValues: null });
`;

it("does not start with a provider that is sent text as it is, until a person has signed a reason", patience, async () => {
  const project = join(directory, "..", "project");
  await putProject(project, { "decide.ts": decide });
  const env = { MODEL_KEY: "sk-canary-of-start", COUNTERSIGN_DECIDING_SECRETS: "MODEL_KEY" };
  const ended = await run(["start", "--directory", directory, "--project", project, "--port", "0", "--json"], { env });
  expect(ended.code).toBe(2);
  expect(ended.stdout + ended.stderr).toContain("boundary_unsigned");
  expect(ended.stdout + ended.stderr).toContain("countersign privacy allow-off openai --reason TEXT");
});

it(
  "says at the start which providers are sent text as it is, and gives the key to the deciding process alone",
  patience,
  async () => {
    const project = join(directory, "..", "project");
    await putProject(project, { "decide.ts": decide });
    const names = await run(["secret-names", "deciding", "--project", project, "--json"]);
    const unbounded = [{ name: "openai", host: "api.openai.com" }];
    expect(JSON.parse(names.stdout)).toEqual({
      ...{ reads: [], models: ["MODEL_KEY"], realProviders: ["openai"], withoutBoundary: unbounded },
    });
    const reason = ["--reason", "a test that sends nothing at all"];
    const signed = await run(["privacy", "allow-off", "openai", ...reason, "--project", project, "--directory", directory]);
    expect(signed.code, signed.stderr).toBe(0);
    const env = { MODEL_KEY: "sk-canary-of-start", COUNTERSIGN_DECIDING_SECRETS: "MODEL_KEY" };
    const start = begin(["start", "--directory", directory, "--project", project, "--port", "0"], { env });
    await until(async () => start.child.exitCode !== null || /^ready /m.test(start.output()));
    const sentence = "the privacy boundary is off: `openai` is sent what stands in prompts as it is";
    expect(start.output()).toContain(sentence);
    const log = await readFile(join(directory, "serve.log"), "utf8");
    expect(JSON.parse(log.trim().split("\n")[0] ?? "")).toMatchObject({ level: "warn", message: sentence });
    const { serve, desk, work } = await processesOf(directory);
    expect((await environmentOf(serve))["MODEL_KEY"]).toBe("sk-canary-of-start");
    for (const pid of [desk, work]) expect(JSON.stringify(await environmentOf(pid))).not.toContain("canary-of-start");
    expect(start.output() + log).not.toContain("canary-of-start");
  },
);

it("does not start without the key, and says its name", patience, async () => {
  const project = join(directory, "..", "project");
  await putProject(project, { "decide.ts": decide });
  const ended = await run(["start", "--directory", directory, "--project", project, "--port", "0", "--json"]);
  expect(ended.code).toBe(2);
  expect(ended.stdout + ended.stderr).toContain("MODEL_KEY");
});
