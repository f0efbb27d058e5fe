import type { Capability } from "../contract/capability.ts";
import type { Context, Need } from "../contract/context.ts";
import { isCountersignError } from "../contract/errors.ts";
import type { FactNeed } from "../contract/fact.ts";
import type { Permit, ToolCall, Tools } from "../contract/ports.ts";
import { fitToSchema } from "../contract/schema.ts";
import { needOf, type Tool, type ToolAnswer } from "../contract/tool.ts";
import { readNeed } from "./read-need.ts";

/**
 * Makes the tools of loops over the reading half's own port, and over nothing else: a tool can read what a need of the capability
 * could, under the same permissions. What is not on the capability's list is refused here, whoever asks for it.
 */
export function createTools({ context, permit }: { context: Context; permit: Pick<Permit, "mayCall"> }): Tools {
  return {
    find: async (capability) => toolsOf(capability),
    call: async (call) => {
      const tool = toolsOf(call.capability).find((one) => one.name === call.tool && one.sideEffect === "read");
      if (tool === undefined) return { kind: "off_list" };
      const ruling = permit.mayCall(call.envelope.principal, tool.name);
      return ruling.kind === "refused" ? { kind: "failed", fault: "forbidden" } : readThrough(tool, call, context);
    },
  };
}

function toolsOf({ deciding }: Pick<Capability, "deciding">): readonly Tool[] {
  return deciding.kind === "loop" ? deciding.tools : [];
}

async function readThrough(tool: Tool, call: ToolCall, context: Context): Promise<ToolAnswer> {
  const { step, inputs, envelope } = call;
  const fit = await fitToSchema(tool.args, call.arguments);
  if (fit.kind === "misfits") return fit;
  try {
    // The name is put last: a tool cannot give what it found the name of another need.
    const asked = { ...tool.need(fit.value, { inputs, envelope }), name: needOf(tool.name, step) } as Need; // a need and its name
    const need = asked.kind === "facts" ? timed(asked, tool.at?.({ inputs, envelope }) ?? envelope.at) : asked;
    const read = await readNeed({ need, envelope, context });
    if (read.kind === "too_old") return { kind: "failed", fault: "record_unavailable" };
    return read.kind === "nothing" ? { kind: "found", items: [] } : read;
  } catch (thrown) {
    return { kind: "failed", fault: isCountersignError(thrown) ? thrown.code : "internal" };
  }
}

/** Whatever a tool made of the model's arguments, the time is not theirs. */
function timed({ asKnownAt: _, ...need }: FactNeed, at: number): FactNeed {
  return { ...need, at };
}
