import { randomBytes } from "node:crypto";
import { defineSandbox } from "countersign";
import { people, tenant } from "./people.ts";
import { installSandbox } from "./sandbox/install.ts";
import { refundLineSamples, reverseRefundSamples } from "./sandbox/release.ts";
import { seedDemo } from "./sandbox/seed.ts";
import { termFacts } from "./sandbox/terms.ts";

const password = () => randomBytes(24).toString("base64url");

/** The demo: a shop's systems of record, five people, and one slice that its owner has opened: small refunds. */
export default defineSandbox({
  tenants: [{ id: tenant, name: "Acme" }],
  people: Object.values(people),
  install: async ({ adminUrl }) => {
    const passwords = { read: password(), write: password(), observe: password() };
    const { SHOP_READ_URL, SHOP_WRITE_URL, SHOP_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
    await seedDemo({ adminUrl, tenant });
    return { deciding: { SHOP_READ_URL }, acting: { SHOP_WRITE_URL, SHOP_OBSERVE_URL } };
  },
  facts: termFacts(tenant),
  slices: [{ by: people.owner.id, capability: "refund_order", slice: "small", thresholdPpm: 850_000 }],
  release: { refund_line: refundLineSamples, reverse_refund: reverseRefundSamples },
});
