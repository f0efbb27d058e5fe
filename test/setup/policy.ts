import { openPolicies } from "../../src/cli/open-policies.ts";

/** The policies that come with the program, opened once for a test file. */
export const shippedPolicy = openPolicies();
