import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client/index.ts";
import { filesIn } from "../canary/forms.ts";
import { type CanaryHouse, openCanaryHouse } from "../canary/house.ts";
import { patience, remove } from "../start/installation.ts";
import { canaries, leaksIn } from "./canaries.ts";

// The same over real processes and a real HTTP server in the model's place: what crosses the wire, what the processes print, and what
// an exporter of spans is handed, with all its members.
let house: CanaryHouse;
beforeAll(async () => {
  house = await openCanaryHouse();
}, patience.timeout);
afterAll(async () => {
  await remove(house.directory);
  await Promise.all([house.shop.close(), house.model.close()]);
}, 60_000);

it("nothing personal crosses the wire, is printed or is traced by processes that run", patience, async () => {
  const client = createClient({ baseUrl: house.start.url, apiKey: house.keys.asker });
  // A request holds 200 characters, so each class is asked for by itself.
  for (const [place, { says }] of canaries.entries())
    await client.decide({ capability: "tickets", inputs: { name: `t-${place}`, text: says }, waitSeconds: 1 });
  const bodies = house.model.requests.map(({ body }) => JSON.stringify(body));
  expect(bodies.length).toBeGreaterThanOrEqual(canaries.length);
  // An organisation stays by the shipped rules, and this house has no dictionary; both are known.
  const stays = ["organisation", "term"];
  expect(bodies.flatMap(leaksIn).filter((of) => !stays.includes(of))).toEqual([]);
  house.start.child.kill("SIGTERM");
  const { stdout, stderr } = await house.start.ended;
  const files = [...(await filesIn(house.directory, () => false)), ...(await filesIn(house.project, () => false))];
  const printed = files.filter(({ place }) => /\.(?:log|txt)$/.test(place));
  expect(printed.map(({ place }) => place)).toEqual(expect.arrayContaining(["the file serve.log", "the file spans.txt"]));
  expect(leaksIn(stdout + stderr + printed.map(({ bytes }) => bytes.toString()).join("\n"))).toEqual([]);
});
