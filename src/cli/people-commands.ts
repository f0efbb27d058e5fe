import { type Command, Option } from "commander";
import { directory, examples, json } from "./options.ts";

/** Declares what the installation's operator does with tenants, people, agents and their keys: it needs the owner's login. */
export function addPeople(program: Command): void {
  addTenant(program.command("tenant").description("add tenants to this installation, suspend and close them"));
  addPerson(program.command("person").description("add people to this installation and change what they are"));
  addAgent(program.command("agent").description("add agents, each of which asks for one person"));
  addKeys(program.command("key").description("make, list and revoke API keys"));
}

const tenantOf = () => new Option("--tenant <tenant>", "the tenant, by id").makeOptionMandatory();
const issuer = new Option("--issuer <url>", "with --subject: the identity provider").env("COUNTERSIGN_OIDC_ISSUER");
const subject = new Option("--subject <subject>", "as whom the identity provider knows them; they get no key then");

function addTenant(tenant: Command): void {
  tenant
    .command("add <id>")
    .description("add a tenant; it is there at once")
    .requiredOption("--name <name>", "what people call it")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples('countersign tenant add acme --name "Acme Ltd"'))
    .action(async (id, options) => (await import("./tenant-add.ts")).tenantAdd(id, options));
  tenant
    .command("list")
    .description("list the tenants and how each stands")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign tenant list", "countersign tenant list --json"))
    .action(async (options) => (await import("./tenant.ts")).tenantList(options));
  const moves = [
    ["suspend", "suspended", "stop all of a tenant: no request, no decision, no send; what is under way is seen to its end"],
    ["resume", "active", "let a suspended tenant go on"],
  ] as const;
  for (const [verb, state, description] of moves) {
    tenant
      .command(`${verb} <id>`)
      .description(description)
      .addOption(directory)
      .addOption(json)
      .addHelpText("after", examples(`countersign tenant ${verb} acme`))
      .action(async (id, options) => (await import("./tenant.ts")).tenantState(id, { ...options, state }));
  }
  tenant
    .command("close <id>")
    .description("erase a suspended tenant for good: payloads, documents, accounts and keys; the ledger stays")
    .option("--yes <id>", "the tenant's id once more")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign tenant close acme --yes acme"))
    .action(async (id, options) => (await import("./tenant.ts")).tenantClose(id, options));
}

function addPerson(person: Command): void {
  person
    .command("add <id>")
    .description("add a person and print the new API key, once; they are known at once")
    .addOption(tenantOf())
    .requiredOption("--role <roles>", "the person's roles, joined by commas")
    .requiredOption("--name <name>", "what people call them")
    .addOption(issuer)
    .addOption(subject)
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples('countersign person add emp-7 --tenant acme --role employee,approver --name "Ada Lind"'))
    .action(async (id, options) => (await import("./person-add.ts")).personAdd(id, options));
  person
    .command("list")
    .description("list people and agents")
    .option("--tenant <tenant>", "those of one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign person list", "countersign person list --tenant acme --json"))
    .action(async (options) => (await import("./account-change.ts")).personList(options));
  person
    .command("roles <id> <roles>")
    .description("give a person or an agent other roles, joined by commas, from the next request on")
    .addOption(tenantOf())
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign person roles emp-7 employee --tenant acme"))
    .action(async (id, roles, options) => (await import("./account-change.ts")).personRoles(id, roles, options));
  for (const [verb, state] of [
    ["deactivate", "deactivated"],
    ["activate", "active"],
  ] as const) {
    person
      .command(`${verb} <id>`)
      .description(
        verb === "deactivate"
          ? "let nobody in as this person or agent any more, from the next request on; a person's agents neither"
          : "let a person or an agent be used again that was deactivated",
      )
      .addOption(tenantOf())
      .addOption(directory)
      .addOption(json)
      .addHelpText("after", examples(`countersign person ${verb} emp-7 --tenant acme`))
      .action(async (id, options) => (await import("./account-change.ts")).accountState(id, { ...options, state }));
  }
}

function addAgent(agent: Command): void {
  agent
    .command("add <id>")
    .description("add an agent that asks for one person, and print its API key, once")
    .addOption(tenantOf())
    .requiredOption("--on-behalf-of <person>", "the person for whom it asks, by id")
    .requiredOption("--role <roles>", "the agent's roles, joined by commas")
    .requiredOption("--name <name>", "what people call it")
    .addOption(issuer)
    .addOption(subject)
    .addOption(directory)
    .addOption(json)
    .addHelpText(
      "after",
      examples('countersign agent add mail-bot --tenant acme --on-behalf-of emp-7 --role employee --name "Mail robot"'),
    )
    .action(async (id, options) => (await import("./person-add.ts")).agentAdd(id, options));
}

function addKeys(key: Command): void {
  key
    .command("add <account>")
    .description("make another key for a person or an agent, and print it, once")
    .addOption(tenantOf())
    .option(
      "--scopes <scopes>",
      "what it is for: ask, read, review, sign, admin, joined by commas; all that the account may have by default",
    )
    .option("--days <days>", "for how many days it is good; without end by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign key add emp-7 --tenant acme --scopes ask,read --days 90"))
    .action(async (account, options) => (await import("./key.ts")).keyAdd(account, options));
  key
    .command("list")
    .description("list keys by id: whose, what for, and when each was used last")
    .option("--tenant <tenant>", "those of one tenant; all by default")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign key list", "countersign key list --tenant acme --json"))
    .action(async (options) => (await import("./key.ts")).keyList(options));
  key
    .command("revoke <id>")
    .description("let a key be good for nothing, from the next request on")
    .addOption(directory)
    .addOption(json)
    .addHelpText("after", examples("countersign key revoke <id>"))
    .action(async (id, options) => (await import("./key.ts")).keyRevoke(id, options));
}
