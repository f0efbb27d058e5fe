import { hiddenValuesSource, recordSource } from "countersign";
import { reader } from "../../examples/it-support/connectors.ts";
import { measurements } from "../../examples/it-support/measurements.ts";
import project from "../../examples/it-support/project.ts";
import { findHidden, records as queries } from "../../examples/it-support/records.ts";
import { installSandbox } from "../../examples/it-support/sandbox/install.ts";
import { seedDemo } from "../../examples/it-support/sandbox/seed.ts";
import { script } from "../../examples/it-support/script.ts";
import { createTools } from "../../src/decide/tools.ts";
import { createGateway } from "../../src/gateway/call.ts";
import { openFacts } from "../../src/know/facts/facts.ts";
import { openMemory } from "../../src/know/memory/memory.ts";
import { postgresRecords } from "../../src/know/records/postgres/postgres-records.ts";
import { openRecords } from "../../src/know/records/records.ts";
import { openSearch } from "../../src/know/search/open-search.ts";
import { systemClock, systemDeadline } from "../../src/store/clock.ts";
import { openDatabase } from "../../src/store/database.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { scriptedProvider } from "../../src/testing/index.ts";
import { fileExampleDocuments } from "./file-documents.ts";
import { shippedPolicy } from "./policy.ts";
import { createMigratedDatabase } from "./project-database.ts";

/** What policy may pass alone in these tests: accessories, from 85 % on. */
const accessoryThresholdPpm = 850_000;

/** The deciding half of the example over the real database, records and gateway; only the journal is left out. */
export async function openDecidingHelpdesk({ tenant }: { tenant: string }) {
  const database = await createMigratedDatabase();
  const passwords = { read: "read-in-tests", write: "write-in-tests", observe: "observe-in-tests" };
  const urls = await installSandbox({ adminUrl: database.adminUrl, passwords });
  await seedDemo({ adminUrl: database.adminUrl, tenant });
  const sources = project.sources.map((source) => ({ ...source, tenants: [tenant] }));
  await fileExampleDocuments({ project: { ...project, sources }, example: "it-support", store: database });
  const vault = { secret: () => urls.HELPDESK_READ_URL };
  const records = openRecords({
    permit: shippedPolicy,
    sources: [
      recordSource(reader, queries),
      postgresRecords({ name: "measurements", secret: reader.secret, queries: measurements }),
    ],
    vault,
    clock: systemClock,
    deadline: systemDeadline,
  });
  const hiddenValues = await hiddenValuesSource(reader, findHidden).open(urls.HELPDESK_READ_URL);
  const store = openDatabase({ url: database.urls.deciding, role: "deciding", connections: 2 });
  const context = {
    ...openSearch({ database: store, clock: systemClock }),
    readRecords: records.readRecords,
    ...openFacts(store),
    ...openMemory({ database: store, readNotes: async () => [] }),
  };
  const deps = {
    environment: "demo",
    clock: systemClock,
    deadline: systemDeadline,
    digest: sha256Digest,
    model: createGateway({
      providers: [scriptedProvider({ name: "scripted", lines: script })],
      clock: systemClock,
      deadline: systemDeadline,
      random: Math.random,
    }),
    context,
    tools: createTools({ permit: shippedPolicy, context }),
    slices: { thresholdPpm: async ({ slice }: { slice: string }) => (slice === "accessory" ? accessoryThresholdPpm : 1_000_001) },
    permit: shippedPolicy,
    hiddenValues,
    spans: null,
    canaries: [],
    cancel: { isCancelled: () => false, onCancel: () => {} },
  };
  const close = async () => {
    await Promise.all([records.close(), hiddenValues.close(), store.close()]);
    await database.drop();
  };
  return { deps, close };
}
