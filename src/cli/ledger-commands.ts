import { type Command, Option } from "commander";
import { directory, examples, json } from "./options.ts";

const tenant = new Option("--tenant <tenant>", "whose ledger; may be left out where there is one tenant");
const key = new Option(
  "--key <key...>",
  "offline: note keys that are trusted, or files that hold one; this installation's by default",
);

/** Declares how one checks the ledger, signs what it holds, and gives it to whoever checks it elsewhere. */
export function addLedger(program: Command): void {
  const ledger = program
    .command("ledger")
    .description("check the ledger, sign checkpoints of it, prove and export what it holds");
  ledger
    .command("verify")
    .description("recompute the chain, of the store or of an export, and name the first bad entry")
    .option("--tenant <tenant>", "one tenant; all by default")
    .option("--export <file>", "an export instead of the store")
    .option("--proof <file...>", "a proof instead of the store")
    .addOption(key)
    .option("--checkpoint <file...>", "checkpoints that you kept, beside those in the export")
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign ledger verify",
        "countersign ledger verify --tenant acme --json",
        "countersign ledger verify --export acme.jsonl --key acme.key --checkpoint march.checkpoint",
      ),
    )
    .action(async (options) => {
      if (options.export === undefined && options.proof === undefined)
        return (await import("./ledger-verify.ts")).ledgerVerify(options);
      return (await import("./ledger-verify-export.ts")).ledgerVerifyExport(options);
    });
  ledger
    .command("checkpoint")
    .description("sign a checkpoint of what is sealed, keep it and print it")
    .addOption(tenant)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign ledger checkpoint", "countersign ledger checkpoint --tenant acme --json"))
    .action(async (options) => (await import("./ledger-checkpoint.ts")).ledgerCheckpoint(options));
  ledger
    .command("prove <id>")
    .description("print a proof that the entry of a decision, or an entry, stands in the ledger")
    .option("--checkpoint <file>", "the checkpoint to prove it against; the first kept one that covers it by default")
    .addOption(tenant)
    .addOption(directory)
    .addHelpText(
      "after",
      examples("countersign ledger prove <decision>", "countersign ledger prove <decision> --checkpoint march.checkpoint"),
    )
    .action(async (id, options) => (await import("./ledger-prove.ts")).ledgerProve(id, options));
  ledger
    .command("consistency <older> <newer>")
    .description("print a proof that one checkpoint continues another; both are files")
    .addOption(tenant)
    .addOption(directory)
    .addHelpText("after", examples("countersign ledger consistency march.checkpoint april.checkpoint"))
    .action(async (older, newer, options) => (await import("./ledger-prove.ts")).ledgerConsistency(older, newer, options));
  ledger
    .command("export")
    .description("write the sealed ledger with its checkpoints to a new file, without payloads")
    .requiredOption("--out <file>", "the file; it must not be there yet")
    .addOption(tenant)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples("countersign ledger export --out acme.jsonl", "countersign ledger export --tenant acme --out acme.jsonl"),
    )
    .action(async (options) => (await import("./ledger-export.ts")).ledgerExport(options));
}
