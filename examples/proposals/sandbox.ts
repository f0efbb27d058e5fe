import { randomBytes } from "node:crypto";
import { defineSandbox } from "countersign";
import { people, tenant } from "./people.ts";
import { installSandbox } from "./sandbox/install.ts";
import { seedDemo } from "./sandbox/seed.ts";

/** The demo: a sales system with three requests and a rate card, and four people. */
export default defineSandbox({
  tenants: [{ id: tenant, name: "Acme" }],
  people: Object.values(people),
  install: async ({ adminUrl }) => {
    const { SALES_READ_URL } = await installSandbox({ adminUrl, password: randomBytes(24).toString("base64url") });
    await seedDemo({ adminUrl, tenant });
    return { deciding: { SALES_READ_URL }, acting: {} };
  },
  slices: [],
});
