import { afterAll, beforeAll, describe, expect, it } from "vitest";
import parts from "../../examples/it-support/decide.ts";
import project from "../../examples/it-support/project.ts";
import type { ModelChoice } from "../../src/contract/capability.ts";
import { createDecider } from "../../src/decider.ts";
import type { DecidingParts } from "../../src/define/deciding.ts";
import type { Project } from "../../src/define/project.ts";
import { compatible } from "../../src/gateway/providers/compatible.ts";
import { systemClock } from "../../src/store/clock.ts";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { uuidIds } from "../../src/store/ids.ts";
import { shippedPolicy } from "../setup/policy.ts";
import { createMigratedDatabase, type MigratedDatabase } from "../setup/project-database.ts";

let migrated: MigratedDatabase;
let database: Database;

beforeAll(async () => {
  migrated = await createMigratedDatabase();
  database = openDatabase({ url: migrated.urls.deciding, role: "deciding" });
});

afterAll(async () => {
  await database.close();
  await migrated.drop();
});

describe("a decider that starts", () => {
  const local = compatible({
    ...{ name: "local", server: "ollama", secret: null, constrain: "schema" },
    baseUrl: "http://127.0.0.1:11434/v1",
  });
  const floating: ModelChoice = { provider: "local", id: "qwen2.5:latest", effort: "none", temperature: 0 };

  it("refuses a model that its provider would not take, with the provider's sentence and where it is named", async () => {
    const error = await start({ ...project, intakeModel: floating }, { ...parts, providers: [...parts.providers, local] });
    expect(error).toMatchObject({
      code: "definition_invalid",
      message: expect.stringMatching(/^intake asks for the model `local\/qwen2\.5:latest`: .*latest/),
    });
  });

  it("refuses a model of a provider that is not registered, for each way to name one", async () => {
    const capabilities = project.capabilities.map((one) =>
      one.deciding.kind === "rule" ? one : { ...one, deciding: { ...one.deciding, second: floating } },
    );
    const error = await start({ ...project, capabilities }, parts);
    expect(error).toMatchObject({
      code: "definition_invalid",
      message: expect.stringContaining("the second model of capability"),
    });
  });
});

async function start(of: Project, by: DecidingParts): Promise<unknown> {
  const starting = createDecider({
    policy: shippedPolicy,
    ...{ project: of, parts: by, database, clock: systemClock, ids: uuidIds(systemClock), environment: "demo" },
    // Refused before any secret is asked for.
    vault: { secret: (name) => `no secret ${name}` },
    payloadKey: Buffer.alloc(32, 7),
    onError: () => {},
  });
  return starting.then(
    async (decider) => {
      await decider.close();
      return null;
    },
    (thrown: unknown) => thrown,
  );
}
