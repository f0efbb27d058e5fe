import type { Command } from "commander";
import { as, directory, examples, json, key, projectOption, url } from "./options.ts";

const project = projectOption("the folder with decide.ts and mcp-tools.json");

/** Adds the commands by which a person looks at what MCP servers say of their tools, and accepts it. */
export function addMcp(program: Command): void {
  const mcp = program
    .command("mcp")
    .description("offer Countersign over MCP; look at the tools of a project's MCP servers, and accept them");
  mcp
    .command("serve")
    .description("offer asking, proposing, reading and searching over MCP on stdin and stdout, for one caller")
    .addOption(url)
    .addOption(key)
    .addOption(as)
    .addOption(directory)
    .addHelpText("after", examples("countersign mcp serve --url https://desk.example.com", "countersign mcp serve --as emp-101"))
    .action(async (options) => (await import("./mcp-serve.ts")).mcpServe(options));
  mcp
    .command("diff [server]")
    .description("show what differs from what was accepted, all servers by default; exit code 1 where something does")
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign mcp diff", "countersign mcp diff tracker --project my-project --json"))
    .action(async (server, options) => (await import("./mcp-diff.ts")).mcpDiff(server, options));
  mcp
    .command("accept <server> <tool>")
    .description("accept a tool as `mcp diff` showed it; refused where the server shows something else by now")
    .requiredOption("--digest <digest>", "the digest that `mcp diff` printed for what you read")
    .addOption(project)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign mcp accept tracker search --digest <digest>"))
    .action(async (server, tool, options) => (await import("./mcp-accept.ts")).mcpAccept({ server, tool }, options));
}
