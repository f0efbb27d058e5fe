import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/server/openapi/operations.ts";
import { PlainBrowser } from "./desk-browser.ts";
import { type DeskHouse, openDeskHouse } from "./desk-house.ts";

let house: DeskHouse;
beforeAll(async () => {
  house = await openDeskHouse({ isDemo: false });
}, 120_000);
afterAll(() => house?.close());

interface Described {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
}
interface Served {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}
const served = async () => (await (await fetch(`${house.url}/v1/openapi.json`)).json()) as Served;

describe("the description of the API", () => {
  it("is valid OpenAPI 3.1, in which every reference leads somewhere", async () => {
    const document = await served();
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
    const names = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference);
    expect(references.length).toBeGreaterThan(20);
    expect(references.filter((reference) => !names.includes(reference ?? ""))).toEqual([]);
  });

  it("describes every route of the API, and no other", () => {
    const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    const routed = house.deskDoor.rows.filter(({ by }) => by === "either").map(nameOf);
    expect(operations.map(nameOf).sort()).toEqual(routed.sort());
  });

  it("gives every operation a name of its own", async () => {
    const document = await served();
    const ids = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(new Set(ids).size).toBe(operations.length);
  });

  it("names every header that a decision takes, the reference time of a trial among them", async () => {
    const { paths } = await served();
    for (const path of ["/v1/decisions", "/v1/ask"])
      expect(paths[path]?.["post"]?.parameters.map(({ name }) => name)).toEqual([
        ...["Idempotency-Key", "Prefer", "Countersign-Session", "Countersign-Reference-Time"],
      ]);
  });

  it("is a page too, which leads from each answer to its schema", async () => {
    const { status, html } = await new PlainBrowser(house.url).get("/reference");
    expect(status).toBe(200);
    for (const { method, path } of operations) expect(html).toContain(`${method} ${path}`);
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target ?? "");
    expect(targets.filter((target) => !html.includes(`id="${target}"`))).toEqual([]);
  });
});
