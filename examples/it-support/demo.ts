/**
 * The main use, headless: starts everything over a temporary folder on free ports, speaks HTTP as the demo's people, and prints what
 * became of each request. The model's replies are scripted (script.ts); everything else is real. `--json` prints one object.
 * With `--eval` it plays the eval cases of three examples instead and holds them against their gates; exit code 1 where one fails.
 */
import { playEvals, tellEvals } from "./demo/evals.ts";
import { runDemo } from "./demo/run.ts";
import { startService } from "./demo/service.ts";
import { tellStory } from "./demo/tell.ts";

if (process.argv.includes("--eval")) await evals();
else await mainUse();

async function mainUse(): Promise<void> {
  const service = await startService();
  try {
    const report = await runDemo(service);
    tell(report, () => tellStory(report));
    if (!report.ledger.verified) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

async function evals(): Promise<void> {
  const reports = await playEvals();
  tell(reports, () => tellEvals(reports));
  if (!reports.every(({ gatePassed }) => gatePassed)) process.exitCode = 1;
}

function tell(report: object, lines: () => readonly string[]): void {
  if (process.argv.includes("--json")) console.log(JSON.stringify(report));
  else for (const line of lines()) console.log(line);
}
