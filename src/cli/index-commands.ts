import { type Command, Option } from "commander";
import { directory, examples, json } from "./options.ts";

const tenant = new Option("--tenant <tenant>", "whose documents; may be left out where there is one tenant");

/** Declares the commands for the index of documents. */
export function addIndex(program: Command): void {
  const index = program.command("index").description("look at the index of documents, and change it by hand");
  index
    .command("add <path>")
    .description("file a document, or all of a folder, once; folders that a project declares are followed by themselves")
    .addOption(tenant)
    .addOption(new Option("--owner <owner>", "who answers for it, where the file does not say").makeOptionMandatory())
    .addOption(
      new Option(
        "--scopes <labels>",
        "the labels that may see it, with commas; the widest that a file may give itself",
      ).makeOptionMandatory(),
    )
    .addOption(new Option("--collection <collection>", "where it stands").default("documents"))
    .addOption(
      new Option("--status <status>", "whether it is in use").choices(["current", "draft", "archived"]).default("current"),
    )
    .addOption(new Option("--authority", "it is the place where its subject is laid down"))
    .addOption(new Option("--valid-from <date>", "the day from which it is in force"))
    .addOption(new Option("--valid-to <date>", "the last day on which it is in force"))
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign index add handbook.pdf --owner it-service --scopes tenant:all",
        "countersign index add contracts --tenant acme --owner legal --scopes role:legal,role:owner --valid-from 2026-01-01",
      ),
    )
    .action(async (path, options) => (await import("./index-add.ts")).indexAdd(path, options));
  index
    .command("status")
    .description(
      "how far the index is behind its sources, and which files are not in it; exit code 1 where a promise is not kept",
    )
    .addOption(new Option("--tenant <tenant>", "one tenant; all by default"))
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign index status", "countersign index status --tenant acme --json"))
    .action(async (options) => (await import("./index-status.ts")).indexStatus(options));
  index
    .command("rebuild")
    .description(
      "make the index anew from the texts that are kept: after `index_incomplete`, other settings of a collection, or an update that says so",
    )
    .addOption(new Option("--tenant <tenant>", "one tenant; all by default"))
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign index rebuild", "countersign index rebuild --tenant acme"))
    .action(async (options) => (await import("./index-rebuild.ts")).indexRebuild(options));
  index
    .command("remove [document]")
    .description(
      "remove a document, or all of a source that is no longer declared; a file that is still in a source is filed again",
    )
    .addOption(tenant)
    .addOption(new Option("--version <version>", "one version; all by default"))
    .addOption(new Option("--source <source>", "all documents of a source").conflicts("version"))
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign index remove old-handbook", "countersign index remove --source handbook --tenant acme"),
    )
    .action(async (document, options) => (await import("./index-remove.ts")).indexRemove(document, options));
}
