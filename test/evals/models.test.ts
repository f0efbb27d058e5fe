import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { neverCancelled } from "../../src/contract/cancel.ts";
import { inventory, type ListedModel } from "../../src/evals/models/inventory.ts";
import { datesSource, knownDates } from "../../src/evals/models/known-dates.ts";
import { lineOf, lookAtModels } from "../../src/evals/models/look-at-models.ts";
import { type Catalogues, standingOf } from "../../src/evals/models/standing.ts";
import { anthropic } from "../../src/gateway/providers/anthropic.ts";
import { compatible } from "../../src/gateway/providers/compatible.ts";
import { openAi } from "../../src/gateway/providers/openai.ts";
import { projectAsking } from "./model-project.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A provider's models API on this machine; gives its address and what it was asked. */
async function serve(
  answer: RequestListener,
): Promise<{ url: string; asked: { url: string; headers: NodeJS.Dict<string | string[]> }[] }> {
  const asked: { url: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? "", headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => void server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}
const json =
  (value: unknown): RequestListener =>
  (_request, response) =>
    void response.end(JSON.stringify(value));

const openAiAt = (url: string) =>
  openAi({ name: "openai", secret: "KEY", api: "responses", constrain: "schema", baseUrl: `${url}/v1` });
const anthropicAt = (url: string) => anthropic({ name: "anthropic", secret: "KEY", constrain: "schema", baseUrl: `${url}/v1` });
const key = "sk-canary-of-the-models-list";

describe("a provider's own list", () => {
  it("of OpenAI says the day on which each model is shut down", async () => {
    const { url, asked } = await serve(
      json({
        data: [
          { id: "gpt-9-2026-01-01", shutdown_date: "2027-02-03" },
          { id: "gpt-10-2026-01-01", shutdown_date: null },
          { id: "gpt-11-2026-01-01" },
        ],
      }),
    );
    const entries = await openAiAt(url).catalogue?.read(key, neverCancelled);
    expect(entries?.map(({ id, shutdownOn, isEnding }) => [id, shutdownOn, isEnding])).toEqual([
      ["gpt-9-2026-01-01", "2027-02-03", true],
      ["gpt-10-2026-01-01", null, false],
      ["gpt-11-2026-01-01", null, false],
    ]);
    expect(asked).toMatchObject([{ url: "/v1/models", headers: { authorization: `Bearer ${key}` } }]);
  });

  it("of Anthropic is read page by page", async () => {
    const { url, asked } = await serve((request, response) => {
      const isSecond = request.url?.includes("after_id=claude-a") === true;
      json(
        isSecond
          ? { data: [{ id: "claude-b-20260101" }], has_more: false }
          : { data: [{ id: "claude-a" }], has_more: true, last_id: "claude-a" },
      )(request, response);
    });
    const entries = await anthropicAt(url).catalogue?.read(key, neverCancelled);
    expect(entries?.map(({ id }) => id)).toEqual(["claude-a", "claude-b-20260101"]);
    expect(asked[0]?.headers).toMatchObject({ "x-api-key": key, "anthropic-version": "2023-06-01" });
  });

  it("of Azure tells `Deprecating`, which still answers, from `Deprecated`, which does not", async () => {
    const { url, asked } = await serve(
      json({
        data: [
          { id: "a", lifecycle_status: "Deprecating", deprecation: { inference: Date.UTC(2027, 0, 15) / 1000 } },
          { id: "b", lifecycle_status: "Deprecated" },
          { id: "c", lifecycle_status: "GenerallyAvailable", deprecation: { inference: null } },
        ],
      }),
    );
    const source = compatible({
      ...{ name: "azure", server: "other", baseUrl: `${url}/openai/v1`, secret: "KEY", constrain: "schema" },
      azureModels: `${url}/openai/models?api-version=2024-10-21`,
    });
    expect(await source.catalogue?.read(key, neverCancelled)).toMatchObject([
      { id: "a", isEnding: true, isRetired: false, shutdownOn: "2027-01-15" },
      { id: "b", isEnding: false, isRetired: true, shutdownOn: null },
      { id: "c", isEnding: false, isRetired: false, shutdownOn: null },
    ]);
    expect(asked).toMatchObject([{ url: "/openai/models?api-version=2024-10-21", headers: { "api-key": key } }]);
  });

  it.each<[string, RequestListener]>([
    [
      "another status, with words that quote the key",
      (request, response) => void response.writeHead(401).end(`bad key ${request.headers.authorization ?? ""}`),
    ],
    [
      "a redirect, which would take the key elsewhere",
      (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    ],
    ["no JSON", (_request, response) => void response.end("<html>")],
    ["another form", json({ models: [] })],
    ["a date that is none", json({ data: [{ id: "a", shutdown_date: "soon" }] })],
    [
      "a body that breaks off",
      (_request, response) => void response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy()),
    ],
  ])("is not believed and not quoted: %s", async (_what, answer) => {
    const { url } = await serve(answer);
    const read = openAiAt(url).catalogue?.read(key, neverCancelled);
    await expect(read).rejects.toMatchObject({ code: "model_unavailable" });
    await expect(read).rejects.not.toThrow(key);
  });
});

const listed = (own: Partial<ListedModel> = {}): ListedModel => ({
  ...{
    provider: "openai",
    id: "gpt-4.1-2025-04-14",
    vendor: "openai",
    base: null,
    kind: "snapshot",
    isPinned: true,
    upgrade: null,
  },
  ...{ shutdownOn: null, lastTrainingOn: null, usedBy: [], owners: [] },
  ...own,
});
const nobody: Catalogues = new Map();
const saying = (
  entries: Parameters<Catalogues["get"]>[0] extends string ? NonNullable<ReturnType<Catalogues["get"]>> : never,
): Catalogues => new Map([["openai", entries]]);
const entry = { id: "m-1", shutdownOn: null, isEnding: false, isRetired: false, source: "http://list" };

describe("how a model stands", () => {
  it("unknown, active, deprecated and retired are four things", () => {
    const at = (catalogues: Catalogues, today: string, own: Partial<ListedModel> = { id: "m-1" }) =>
      standingOf(listed(own), { catalogues, today });
    expect(at(nobody, "2026-11-30")).toMatchObject({ state: "unknown", shutdownOn: null, isDue: false });
    expect(at(saying([]), "2026-11-30")).toMatchObject({ state: "unknown" });
    expect(at(saying([entry]), "2026-11-30")).toMatchObject({ state: "active", isDue: false });
    expect(at(saying([{ ...entry, isEnding: true }]), "2026-11-30")).toMatchObject({
      state: "deprecated",
      shutdownOn: null,
      isDue: true,
    });
    expect(at(saying([{ ...entry, isRetired: true }]), "2026-11-30")).toMatchObject({ state: "retired", isDue: true });
  });

  it("is due from 90 days before its end on, and retired from that day on", () => {
    const at = (today: string) => standingOf(listed(), { catalogues: nobody, today });
    expect(at("2026-10-15")).toMatchObject({ state: "deprecated", daysLeft: 91, isDue: false });
    expect(at("2026-10-16")).toMatchObject({ state: "deprecated", daysLeft: 90, isDue: true });
    expect(at("2027-01-13")).toMatchObject({ state: "deprecated", daysLeft: 1, isDue: true });
    expect(at("2027-01-14")).toMatchObject({ state: "retired", daysLeft: 0, isDue: true });
    expect(at("2027-03-01")).toMatchObject({ state: "retired", isDue: true });
  });

  it("is not due for an end that is far, though it is announced; one without a day may come any day", () => {
    const at = (own: { shutdownOn: string | null }) =>
      standingOf(listed({ id: "m-1" }), { catalogues: saying([{ ...entry, isEnding: true, ...own }]), today: "2026-11-30" });
    expect(at({ shutdownOn: "2031-01-01" })).toMatchObject({ state: "deprecated", shutdownOn: "2031-01-01", isDue: false });
    expect(at({ shutdownOn: "2027-02-28" })).toMatchObject({ state: "deprecated", daysLeft: 90, isDue: true });
    expect(at({ shutdownOn: null })).toMatchObject({ state: "deprecated", daysLeft: null, isDue: true });
  });

  it("of several sources the earliest day holds, what the project itself was told among them, and who says it is named", () => {
    const list = new Map([["openai", [{ ...entry, id: "gpt-4.1-2025-04-14", shutdownOn: "2027-06-01", isEnding: true }]]]);
    const at = (own: string | null, id = "gpt-4.1-2025-04-14") => {
      const { shutdownOn, source } = standingOf(listed({ id, shutdownOn: own }), { catalogues: list, today: "2026-09-01" });
      return [shutdownOn, source];
    };
    expect(at(null)).toEqual(["2027-01-14", datesSource.openai]);
    expect(at("2027-09-01")).toEqual(["2027-01-14", datesSource.openai]);
    expect(at("2026-12-01")).toEqual(["2026-12-01", "models.yaml"]);
    expect(at("2027-09-01", "m-1")).toEqual(["2027-09-01", "models.yaml"]);
    const sooner = saying([{ ...entry, shutdownOn: "2026-12-05", isEnding: true }]);
    const told = standingOf(listed({ id: "m-1", shutdownOn: "2028-06-30" }), { catalogues: sooner, today: "2026-11-30" });
    expect(told).toMatchObject({ shutdownOn: "2026-12-05", source: "http://list", daysLeft: 5, isDue: true });
  });

  it("which its provider's list does not hold is a finding, unless nobody read it, its base is there or it is over", () => {
    const isUnlisted = (catalogues: Catalogues, own: Partial<ListedModel>) =>
      standingOf(listed(own), { catalogues, today: "2026-11-30" }).isUnlisted;
    expect(isUnlisted(saying([entry]), { id: "m-2" })).toBe(true);
    expect(isUnlisted(saying([entry]), { id: "m-1" })).toBe(false);
    expect(isUnlisted(saying([entry]), { id: "ft:m-1:acme", base: "m-1" })).toBe(false);
    expect(isUnlisted(saying([entry]), { id: "gpt-4-0613" })).toBe(false);
    expect(isUnlisted(nobody, { id: "m-2" })).toBe(false);
    expect(isUnlisted(new Map([["openai", null]]), { id: "m-2" })).toBe(false);
    const lost = standingOf(listed({ id: "m-2" }), { catalogues: saying([entry]), today: "2026-11-30" });
    expect(lineOf(lost)).toMatch(/m-2: unknown, no end is known; not in its provider's list$/);
  });

  it("a fine-tuned model ends with its base, and has a last day of training", () => {
    const tuned = listed({ id: "ft:gpt-4.1-mini-2025-04-14:acme::x1", base: "gpt-4.1-mini-2025-04-14", kind: "fine_tuned" });
    expect(standingOf(tuned, { catalogues: nobody, today: "2026-11-30" })).toMatchObject({
      ...{ state: "deprecated", shutdownOn: "2027-01-14", lastTrainingOn: "2027-01-06", replacement: "gpt-6-luna", isDue: true },
      source: datesSource.openai,
    });
    expect(lineOf(standingOf(tuned, { catalogues: nobody, today: "2026-11-30" }))).toMatch(
      /: deprecated, until 2027-01-14, 45 days; trained anew until 2027-01-06 at the latest; its provider names gpt-6-luna$/,
    );
  });
});

describe("the shipped dates", () => {
  it("are days, announced before they come, each model once", () => {
    for (const { id, announcedOn, shutdownOn } of knownDates) {
      expect(new Date(`${shutdownOn}T00:00:00Z`).toISOString().slice(0, 10), id).toBe(shutdownOn);
      expect(announcedOn < shutdownOn, id).toBe(true);
    }
    expect(new Set(knownDates.map(({ vendor, id }) => `${vendor}/${id}`)).size).toBe(knownDates.length);
  });
});

describe("the inventory", () => {
  it("names every model once: of definitions, of the project's own file, of stored requests and of what was asked of late", () => {
    const project = projectAsking({ provider: "openai", id: "ft:gpt-4.1-mini-2025-04-14:acme::x1" });
    const all = inventory({
      project,
      own: [{ provider: "azure", id: "triage-prod", base: "gpt-4.1-2025-04-14", upgrade: "when_default_changes" }],
      stored: { asked: ["openai/gpt-4o-2024-08-06", "none"], wanted: ["triage"] },
      providerOf: (name) => ({ vendor: name === "openai" ? "openai" : null, isPinned: () => (name === "openai" ? true : null) }),
    });
    expect(all.map(({ provider, id, kind, base, isPinned }) => [`${provider}/${id}`, kind, base, isPinned])).toEqual([
      ["azure/triage-prod", "deployment", "gpt-4.1-2025-04-14", false],
      ["openai/ft:gpt-4.1-mini-2025-04-14:acme::x1", "fine_tuned", "gpt-4.1-mini-2025-04-14", true],
      ["openai/gpt-4o-2024-08-06", "snapshot", null, true],
    ]);
    expect(all[1]).toMatchObject({
      usedBy: ["capability `triage`", "stored requests of capability `triage`"],
      owners: ["tests"],
    });
  });

  it("says of an id that it is fixed by its provider's word alone: an undated one is none, and nobody says so of a provider that is not declared", async () => {
    const look = await lookAtModels({
      project: projectAsking({ provider: "openai", id: "gpt-4.1-2025-04-14" }, { provider: "openai", id: "gpt-4.1" }),
      providers: [openAiAt("http://127.0.0.1:1")],
      ...{ own: [], stored: { asked: ["gone/m-1", "openai/\u00e9"], wanted: [] }, ask: null, today: "2026-09-01" },
    });
    expect(look.standings.map(({ model: { provider, id, isPinned } }) => [`${provider}/${id}`, isPinned])).toEqual([
      ["gone/m-1", null],
      ["openai/gpt-4.1", false],
      ["openai/gpt-4.1-2025-04-14", true],
      ["openai/\u00e9", false],
    ]);
    const [unknown, moving, fixed] = look.standings.map(lineOf);
    expect(unknown).toMatch(/; whether its id is a fixed version is not known$/);
    expect(moving).toMatch(/; its id is no fixed version$/);
    expect(fixed).toMatch(/until 2027-01-14, 135 days; its provider names gpt-6-luna$/);
  });

  it("is looked at with each provider's key, and a list that cannot be read is told and says nothing", async () => {
    const good = await serve(json({ data: [{ id: "gpt-9-2026-01-01", shutdown_date: "2026-12-24" }] }));
    const bad = await serve((_request, response) => void response.writeHead(500).end());
    const look = await lookAtModels({
      project: projectAsking({ provider: "openai", id: "gpt-9-2026-01-01" }, { provider: "anthropic", id: "claude-x-20260101" }),
      providers: [openAiAt(good.url), anthropicAt(bad.url)],
      ...{ own: [], stored: { asked: [], wanted: [] }, ask: () => key, today: "2026-11-30" },
    });
    expect(look.unread).toEqual(["anthropic"]);
    expect(look.standings.map(({ model, state, daysLeft, isDue }) => [model.id, state, daysLeft, isDue])).toEqual([
      ["claude-x-20260101", "unknown", null, false],
      ["gpt-9-2026-01-01", "deprecated", 24, true],
    ]);
    expect(good.asked).toHaveLength(1);
  });
});
