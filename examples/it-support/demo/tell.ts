import type { DemoReport } from "./run.ts";

/** Tells a demo's report in sentences. */
export function tellStory({ decisions, refusals, database, sandbox, ledger }: DemoReport): string[] {
  return [
    "The model's replies are scripted; PostgreSQL, HTTP, the processes and the help desk's database are real.",
    "",
    ...decisions.flatMap((one) => [
      `> ${one.request}`,
      `  ${one.capability}: ${one.routing ?? "no route"}${one.rule === null ? "" : ` by ${one.rule}`}${one.stop === null ? "" : `, stopped: ${one.stop}`}`,
      ...one.says.map((claim) => `  "${claim}"`),
      `  ${one.state}${one.verdict === null ? "" : `, verdict ${one.verdicts.join(", then ")}`}${one.approvedBy === null ? "" : `, signed by ${one.approvedBy}`}`,
      "",
    ]),
    ...refusals.map((one) => `The forged approval was refused: ${one.code}`),
    ...database.map((one) => `The role ${one.role} tried to ${one.tried}; the database answered: ${one.answered}`),
    `The help desk holds ${sandbox.tickets} tickets, ${sandbox.ticketsOfLostReply} of them from the request whose reply was lost.`,
    `The ledger holds ${ledger.entries} entries, ${ledger.sealed} sealed, ${ledger.verified ? "and verifies" : "and DOES NOT VERIFY"}.`,
  ];
}
