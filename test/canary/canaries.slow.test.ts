import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/index.ts";
import type { DecisionState } from "../../src/contract/views.ts";
import { contractDigest } from "../../src/define/contract-digest.ts";
import { sha256Digest } from "../../src/store/digest.ts";
import { PlainBrowser } from "../http/desk-browser.ts";
import { until } from "../postgres/embedded/server.ts";
import { patience, remove, run } from "../start/installation.ts";
import { filesIn, formsOf, leaksIn, type Output } from "./forms.ts";
import { type CanaryHouse, openCanaryHouse } from "./house.ts";
import { addTicket } from "./tickets.ts";

// No value of a secret leaves by any way out: every secret of a house of real processes is a canary, decisions are made, signed, applied
// and broken by systems that quote the credential they were sent, and then all that came out is searched.
let house: CanaryHouse;
const outputs: Output[] = [];
const keep = (place: string, text: string) => void outputs.push({ place, bytes: Buffer.from(text) });

beforeAll(async () => {
  house = await openCanaryHouse();
}, patience.timeout);
afterAll(async () => {
  await remove(house.directory);
  await Promise.all([house.shop.close(), house.model.close()]);
}, 60_000);

it("no canary leaves by any way out", patience, async () => {
  const ids = await decideAll();
  await Promise.all([readOverHttp(ids), readPages(ids), runCommands(ids)]);
  outputs.push(...(await house.database()));
  house.start.child.kill("SIGTERM");
  const { stdout, stderr } = await house.start.ended;
  keep("the output of start", stdout + stderr);
  // The settings and the key files are where these secrets are kept; the vault file holds them sealed, and is searched.
  const isKept = (path: string) => /^secrets\/(?:settings\.json|vault-(?:deciding|acting)\.key)$/.test(path);
  outputs.push(...(await filesIn(house.directory, isKept)), ...(await filesIn(house.project, () => false)));

  refuseEmptySearch(ids);
  expect(leaksIn(outputs, house.canaries)).toEqual([]);
});

/** One decision for each way in which it can end; each credential was used by then, and quoted back. */
async function decideAll(): Promise<Readonly<Record<string, string>>> {
  const client = clientOf("asker");
  const begin = async (name: string, text = "a note") => {
    const view = await client.decide({ capability: "tickets", inputs: { name, text }, waitSeconds: 1 });
    return view.id;
  };
  const signed = await begin("signed");
  await cli("approver", "review", signed, "--approve", "--json");
  await reached(client, signed, "done");
  await released();
  await clientOf("owner").openSlice({ capability: "tickets", slice: "plain", thresholdPpm: 500_000 });
  await until(() => house.asOwner(async (db) => (await db.query("select from countersign.slice")).rowCount === 1));
  // A deciding process keeps thresholds for a second: until then such a decision waits for a person.
  let byPolicy = "";
  for (let n = 0; ; n += 1) {
    byPolicy = await begin(`policy ${n}`);
    if ((await client.decision(byPolicy)).route === "auto") break;
  }
  const [echo, blind, unread, refused] = await Promise.all([
    begin("echo"),
    begin("blind"),
    begin("unread"),
    begin("refused", "REFUSE THE KEY"),
  ]);
  await reached(client, byPolicy, "done");
  await reached(client, unread, "stopped");
  await reached(client, refused, "stopped");
  await reached(client, echo, "unknown", "failed", "escalated");
  // What was applied, and is looked at in vain: asked for after the change, and refused with the credential.
  const { seen } = house.shop;
  const looks = () =>
    seen.slice(seen.findIndex((line) => line.endsWith(" PUT blind"))).filter((line) => line.endsWith(" GET blind"));
  await until(async () => seen.some((line) => line.endsWith(" PUT blind")) && looks().length > 0);
  return { signed, byPolicy, echo, blind, unread, refused };
}

/** Outside the demo policy signs alone for what was released; this house has no sandbox in which it could be tried. */
async function released(): Promise<void> {
  const { name, version, environments } = addTicket.erased;
  await house.asOwner((db) =>
    db.query(
      `insert into countersign.release (id, effect, version, environments, definition, passed, cells)
       values (gen_random_uuid(), $1, $2, $3, $4, true, '[]')`,
      [name, version, environments, contractDigest(addTicket.erased, sha256Digest)],
    ),
  );
}

async function reached(client: Client, id: string, ...states: DecisionState[]): Promise<void> {
  await until(async () => states.includes((await client.decision(id)).state));
}

const clientOf = (who: keyof CanaryHouse["keys"]) => createClient({ baseUrl: house.start.url, apiKey: house.keys[who] });

/** Every route that tells something, for each person, with headers; and requests that are refused. */
async function readOverHttp(ids: Readonly<Record<string, string>>): Promise<void> {
  const paths = Object.values(ids).flatMap((id) => [
    `/v1/decisions/${id}`,
    `/v1/decisions/${id}/story`,
    `/v1/decisions/${id}/explanation`,
  ]);
  const wrong = [`${house.keys.asker}x`, house.keys.owner.replace("csk_", "csd_")];
  for (const key of [...Object.values(house.keys), ...wrong])
    for (const path of [...paths, "/v1/decisions", "/v1/reviews", "/healthz", "/v1/nothing"]) {
      const answer = await fetch(`${house.start.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
      keep(`${path} over HTTP`, JSON.stringify([...answer.headers]) + (await answer.text()));
    }
}

async function readPages(ids: Readonly<Record<string, string>>): Promise<void> {
  for (const key of Object.values(house.keys)) {
    const browser = new PlainBrowser(house.start.url);
    const refused = await browser.post("/sign-in", { key: `${key}x` });
    keep("the page of a refused sign-in", JSON.stringify([...refused.headers]) + refused.html);
    await browser.signIn(key);
    const each = Object.values(ids).flatMap((id) => [`/decisions/${id}`, `/review/${id}`]);
    for (const path of ["/", "/review", "/sign-in", ...each]) {
      const page = await browser.get(path);
      keep(`the page ${path}`, JSON.stringify([...page.headers]) + page.html);
    }
    const read = Object.values(ids).flatMap((id) => [
      `/v1/decisions/${id}`,
      `/v1/decisions/${id}/story`,
      `/v1/reviews/${id}/evidence`,
    ]);
    for (const path of ["/v1/session", "/v1/decisions", "/v1/decisions?of=all", "/v1/reviews", ...read])
      keep(`${path} by session`, (await browser.call(path)).text);
  }
}

async function runCommands({ signed = "", echo = "" }: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all([
    cli("owner", "explain", signed, "--json"),
    cli("asker", "explain", echo),
    cli("approver", "review", "--json"),
  ]);
  await Promise.all([
    cli("owner", "ledger", "verify", "--json"),
    cli("owner", "doctor", "--json"),
    cli("owner", "secret", "list", "--json"),
  ]);
}

async function cli(who: keyof CanaryHouse["keys"], ...args: string[]): Promise<void> {
  // What has no --url reads the installation itself.
  const env = { COUNTERSIGN_URL: house.start.url, COUNTERSIGN_KEY: house.keys[who], COUNTERSIGN_PROJECT: house.project };
  const { stdout, stderr } = await run([...args, "--directory", house.directory], { env });
  expect(stdout, stderr).not.toBe("");
  keep(`the command ${args.slice(0, 2).join(" ")}`, stdout + stderr);
}

/** A search over nothing finds nothing: each way out was there, and each credential had been sent and quoted. */
function refuseEmptySearch(ids: Readonly<Record<string, string>>): void {
  const textAt = (place: RegExp) =>
    outputs
      .filter((one) => place.test(one.place))
      .map(({ bytes }) => bytes.toString())
      .join("\n");
  expect(textAt(/\/story over HTTP$/)).toContain(ids["echo"]);
  expect(textAt(/^the page \/decisions/)).toContain('id="console"');
  expect(textAt(/^the body proposal /)).toContain("a note");
  expect(textAt(/^the column entry\./)).toContain(ids["blind"]);
  expect(textAt(/^the file spans\.txt$/)).toContain("decide tickets");
  expect(textAt(/^the file (?:serve|desk|work)\.log$/)).not.toBe("");
  expect(textAt(/^the file secrets\/vault\.json$/)).toContain("SHOP_WRITE");
  expect(textAt(/^the command secret list$/)).toContain("MODEL_KEY");
  const seen = house.shop.seen.join("\n");
  for (const name of ["SHOP_READ", "SHOP_WRITE", "SHOP_OBSERVE"])
    expect(
      house.canaries.some((one) => one.name === name && typeof one.value === "string" && seen.includes(one.value)),
      name,
    ).toBe(true);
  for (const quoted of [" PUT echo", " GET unread"]) expect(seen).toContain(quoted);
  expect(house.model.requests.every(({ hasCredential }) => hasCredential)).toBe(true);
}

describe("the search", () => {
  const value = "Zq+/&\"5f0c=%20'~";
  const written: Readonly<Record<string, string>> = {
    plain: value,
    "in base64": Buffer.from(`user:${value}`).toString("base64"),
    "in base64, one byte further": Buffer.from(`users:${value}!`).toString("base64"),
    "in base64url": Buffer.from(`users::${value}?`).toString("base64url"),
    "in hex": Buffer.from(value).toString("hex"),
    "in upper hex": Buffer.from(value).toString("hex").toUpperCase(),
    "in a URL": new URL(`http://u:${encodeURIComponent(value)}@localhost`).href,
    "in a form": new URLSearchParams({ key: value }).toString(),
    "in JSON": JSON.stringify({ value }),
    "in JSON in JSON": JSON.stringify({ text: JSON.stringify({ value }) }),
  };

  it.each(Object.keys(written))("finds a value that stands %s, and says its name alone", (how) => {
    const output = { place: "a log", bytes: Buffer.from(`before ${written[how]} after`) };
    const found = leaksIn([output], [{ name: "MODEL_KEY", value }]);
    expect(found.join()).toContain("a log holds MODEL_KEY as ");
    for (const { bytes } of formsOf(value)) expect(found.join()).not.toContain(bytes.toString("latin1"));
  });

  it("finds bytes, and nothing where nothing stands", () => {
    const key = Buffer.from("00ff80fe7f00112233445566778899aa", "hex");
    const output = { place: "a file", bytes: Buffer.concat([Buffer.from("x"), key]) };
    expect(leaksIn([output], [{ name: "key", value: key }])).toEqual(["a file holds key as plain"]);
    expect(leaksIn([{ place: "a file", bytes: Buffer.from(value.slice(1)) }], [{ name: "MODEL_KEY", value }])).toEqual([]);
  });
});
