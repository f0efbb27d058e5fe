import { randomBytes } from "node:crypto";
import { defineSandbox } from "countersign";
import { people, tenant } from "./people.ts";
import { teamFacts } from "./sandbox/facts.ts";
import { installSandbox } from "./sandbox/install.ts";
import { createTicketSamples, orderReplacementSamples } from "./sandbox/release.ts";
import { seedDemo } from "./sandbox/seed.ts";

const password = () => randomBytes(24).toString("base64url");

/** The demo: a help desk's system of record, three people, and one slice that its owner has opened. */
export default defineSandbox({
  tenants: [{ id: tenant, name: "Acme" }],
  people: Object.values(people),
  suggests: "My mouse is broken, please replace it",
  install: async ({ adminUrl }) => {
    const passwords = { read: password(), write: password(), observe: password() };
    const { HELPDESK_READ_URL, HELPDESK_WRITE_URL, HELPDESK_OBSERVE_URL } = await installSandbox({ adminUrl, passwords });
    await seedDemo({ adminUrl, tenant });
    return { deciding: { HELPDESK_READ_URL }, acting: { HELPDESK_WRITE_URL, HELPDESK_OBSERVE_URL } };
  },
  facts: teamFacts(tenant),
  slices: [{ by: people.owner.id, capability: "replace_device", slice: "accessory", thresholdPpm: 850_000 }],
  release: { create_ticket: createTicketSamples, order_replacement: orderReplacementSamples },
});
