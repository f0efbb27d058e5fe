import { z } from "zod";
import { arithmetic } from "./arithmetic.ts";
import { cents, defineTool, found, refused, type Tool } from "./tool.ts";

/** The tools that both domains have and that touch no document. */
export const genericTools: readonly Tool[] = [
  defineTool({
    name: "calculate",
    writes: false,
    form: z.strictObject({ expression: z.string() }),
    run: ({ expression }) => {
      const value = arithmetic(expression);
      if (value === null) return refused("not an expression of numbers");
      const text = String(cents(value));
      // As the original writes it: always with a decimal point.
      return found(text.includes(".") ? text : `${text}.0`);
    },
  }),
  defineTool({
    name: "transfer_to_human_agents",
    writes: false,
    form: z.strictObject({ summary: z.string() }),
    run: () => found("Transfer successful"),
  }),
];
