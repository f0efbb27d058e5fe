import { type Command, Option } from "commander";
import { directory, examples, json } from "./options.ts";

const passphraseFile = new Option(
  "--passphrase-file <file>",
  "the file with the passphrase of the keys; COUNTERSIGN_BACKUP_PASSPHRASE by default",
);

/** Declares how whoever runs the installation keeps a copy of it, and begins again from one. */
export function addBackups(program: Command): void {
  program
    .command("backup <file>")
    .description("write everything that the database holds, as it stands at one moment, to a new file; nobody need stop")
    .addOption(new Option("--with-keys", "with this installation's keys and vault, encrypted under a passphrase"))
    .addOption(passphraseFile)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        "countersign backup monday.backup",
        "COUNTERSIGN_BACKUP_PASSPHRASE=... countersign backup monday.backup --with-keys",
        "countersign backup monday.backup --directory .my-data --json",
      ),
    )
    .action(async (file, options) => (await import("./backup.ts")).backup(file, options));
  program
    .command("restore <file>")
    .description("load a backup into a new installation or an empty database, whole or not at all, and sign that it was done")
    .addOption(new Option("--directory <folder>", "where the restored installation is to be").makeOptionMandatory())
    .addOption(new Option("--reason <reason>", "why; kept with the signed entry"))
    .addOption(passphraseFile)
    .addOption(json)
    .addHelpText(
      "after",
      examples(
        'countersign restore monday.backup --directory .restored --reason "the disk broke"',
        "COUNTERSIGN_HEADS=.countersign/heads countersign restore monday.backup --directory .restored",
        "DATABASE_URL=postgres://owner@db.example/empty countersign restore monday.backup --directory .restored --json",
      ),
    )
    .action(async (file, options) => (await import("./restore.ts")).restore(file, options));
}
