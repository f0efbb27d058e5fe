import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plan, train } from "../../training/recogniser/train.ts";

const folder = new URL("../../src/guard/privacy/recogniser/", import.meta.url);
const card = JSON.parse(readFileSync(new URL("model.json", folder), "utf8"));

describe("the training of the recogniser", () => {
  it("gives the same bytes for the same plan, and others for another seed", { timeout: 120_000 }, () => {
    const small = { ...plan, buckets: 1_024, textsOfTemplate: 1, rounds: 1 };
    const digest = (seed: number) =>
      createHash("sha256")
        .update(train({ ...small, seed }, () => {}).file)
        .digest("hex");
    const first = digest(1);
    expect(digest(1)).toBe(first);
    expect(digest(2)).not.toBe(first);
  });

  it("made the model that is checked in, by the plan that stands there", () => {
    const file = readFileSync(new URL("model.bin", folder));
    expect({ bytes: file.length, sha256: createHash("sha256").update(file).digest("hex") }).toEqual({
      bytes: card.bytes,
      sha256: card.sha256,
    });
    expect(card.plan).toEqual(plan);
    expect(file.length).toBeLessThan(1_500_000);
  });

  it("has its figures on the score card", () => {
    const page = readFileSync(new URL("../../docs/recogniser.md", import.meta.url), "utf8");
    for (const [name, { spans, recall, covered, precision }] of Object.entries<Readonly<Record<string, number>>>(
      card.unseen.classes,
    ))
      expect(page).toContain(`| ${name} | ${spans} | ${recall} | ${covered} | ${precision} |`);
    expect(page).toContain(`${card.templates.seen} templates`);
    expect(page).toContain(`${card.unseen.overRedaction}`);
  });
});
