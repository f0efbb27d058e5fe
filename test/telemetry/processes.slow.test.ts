import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, refuseTakenPort } from "../../src/cli/port.ts";

import { newFolder, patience, remove, run, type Started, started } from "../start/installation.ts";

const key = "a-key-of-the-scraper-of-this-test-alone";
let directory: string;
let first: number;
let running: Started;
beforeAll(async () => {
  directory = await newFolder();
  first = await fourFreePorts();
  running = await started(directory, { env: { COUNTERSIGN_METRICS_PORT: String(first), COUNTERSIGN_METRICS_KEY: key } });
}, patience.timeout);
afterAll(() => remove(directory), patience.timeout);

/** The first of four ports in a row that nobody has. */
async function fourFreePorts(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const areFree = await Promise.all([1, 2, 3].map((place) => refuseTakenPort(port + place))).then(
      () => true,
      () => false,
    );
    if (areFree) return port;
  }
}

const read = async (place: number, authorization = `Bearer ${key}`) => {
  const response = await fetch(`http://127.0.0.1:${first + place}/metrics`, { headers: { authorization } });
  return { status: response.status, text: await response.text() };
};

it("each process of an installation tells its own figures, under the key alone", patience, async () => {
  const text = "My mouse is broken, please replace it, says quartz-heron-17";
  const asked = await run(["ask", text, "--directory", directory, "--wait", "0"], { env: { COUNTERSIGN_URL: running.url } });
  expect(asked.stderr).toBe("");
  const [serve, desk, work, ingest] = await Promise.all([0, 1, 2, 3].map((place) => read(place)));
  for (const [name, one] of Object.entries({ serve, desk, work, ingest })) {
    expect(one?.status, name).toBe(200);
    expect(one?.text, name).toContain(`countersign_process_up{process="${name}"} 1`);
    expect(one?.text, name).toContain("countersign_scrape_failed 0");
    for (const hidden of ["quartz-heron-17", "mouse", "acme", "emp-", key]) expect(one?.text, name).not.toContain(hidden);
  }
  expect(serve?.text).toMatch(
    /countersign_decision_duration_seconds_count\{capability="intake",outcome="decided",route="[a-z_]+",stop=""\} 1/,
  );
  expect(serve?.text).toMatch(
    /countersign_read_duration_seconds_count\{read="records",query="[a-z]\S*\.[A-Za-z]+",error_type=""\}/,
  );
  expect(work?.text).toMatch(/countersign_queue_length\{queue="reviews"\} \d/);
  expect(work?.text).toMatch(/countersign_seal_lag_seconds \d/);
  expect(ingest?.text).toMatch(/countersign_index_lag_seconds\{source="[a-z_.-]+"\} \d/);
  expect((await read(0, "Bearer another-key-of-nobody-here")).status).toBe(401);
});
