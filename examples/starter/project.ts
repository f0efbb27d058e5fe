/**
 * What every process loads: what may be decided, and what may change. Pure: nothing that is imported from here may hold a credential or
 * reach a model, a database or the network. `npx countersign check` holds it to that.
 */
import { defineProject } from "countersign";
import { renewLoan } from "./renew-loan.ts";

export default defineProject({
  name: "starter",
  capabilities: [renewLoan],
  // A request in plain words goes to the first rule that matches; what matches none is told that nothing here is for it.
  intake: [{ name: "asks-to-renew", capability: "renew_loan", matches: (text) => /\b(?:renew|extend|longer|keep)/i.test(text) }],
});
