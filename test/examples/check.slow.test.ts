import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runJson } from "../cli/command.ts";

// The demo itself is held to it in test/cli.
test.each(["refunds", "reconciliation", "proposals"])(
  "%s passes a strict check, with nothing to hint at",
  { timeout: 60_000 },
  async (name) => {
    const project = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
    expect(await runJson(["check", "--project", project, "--strict"])).toMatchObject({
      code: 0,
      json: { project: name, findings: [] },
    });
  },
);
