import { z } from "zod";
import { type ErrorCode, errorCodes } from "../../contract/errors.ts";
import { components } from "./components.ts";

/** What every error is answered with. */
export const problemReply = z
  .strictObject({
    type: z.string().describe("`urn:countersign:error:` and the code"),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]), // the keys of that very list
    detail: z.string().describe("What came, what was expected, and what to do"),
    next: z.string(),
    facts: z.record(z.string(), z.json()),
  })
  .register(components, { id: "Problem", description: "Problem details (RFC 9457) with a code of a closed list" });
