import { randomBytes } from "node:crypto";
import { defineSandbox } from "countersign";
import { people, tenant } from "./people.ts";
import { feedsFolder, installSandbox } from "./sandbox/install.ts";
import { postAdjustmentSamples, postMatchSamples } from "./sandbox/release.ts";
import { seedDemo } from "./sandbox/seed.ts";

const password = () => randomBytes(24).toString("base64url");

/** The demo: books, two custodians' feeds, four people, and the two slices of matches that their owner has opened. */
export default defineSandbox({
  tenants: [{ id: tenant, name: "Acme" }],
  people: Object.values(people),
  install: async ({ adminUrl }) => {
    const passwords = { read: password(), write: password(), observe: password() };
    const { BOOKS_READ_URL, BOOKS_WRITE_URL, BOOKS_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
    await seedDemo({ adminUrl, tenant });
    return { deciding: { BOOKS_READ_URL, FEEDS_FOLDER: feedsFolder }, acting: { BOOKS_WRITE_URL, BOOKS_OBSERVE_URL } };
  },
  slices: ["exact_reference", "amount_and_date"].map((slice) => ({
    ...{ by: people.owner.id, capability: "reconcile_row", slice, thresholdPpm: 1_000_000 },
  })),
  release: { post_adjustment: postAdjustmentSamples, post_match: postMatchSamples },
});
