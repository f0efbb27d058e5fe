import type { Spans, Tools } from "../contract/ports.ts";
import type { ToolAnswer } from "../contract/tool.ts";

/** Tools whose every call is a span with the tool's name and its class of error; a name of the model's own, which is on no list, is not told. */
export function watchedTools(tools: Tools, spans: Spans | null): Tools {
  if (spans === null) return tools;
  return {
    find: tools.find,
    call: async (call) => {
      const { deciding } = call.capability;
      const isListed = deciding.kind === "loop" && deciding.tools.some(({ name }) => name === call.tool);
      const tool = isListed ? call.tool : "off_list";
      const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "countersign.tool": tool };
      return spans.within({ name: `tool ${tool}`, attributes }, async (note) => {
        const answer = await tools.call(call);
        if (answer.kind !== "found") note({ "error.type": faultOf(answer) });
        return answer;
      });
    },
  };
}

function faultOf(answer: Exclude<ToolAnswer, { kind: "found" }>): string {
  if (answer.kind === "failed") return answer.fault;
  return answer.kind === "off_list" ? "forbidden" : "input_invalid";
}
