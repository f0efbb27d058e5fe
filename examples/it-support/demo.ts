/**
 * The main use, headless: starts everything over a temporary folder on free ports, speaks HTTP as the demo's people, and prints what
 * became of each request. The model's replies are scripted (script.ts); everything else is real. `--json` prints one object.
 */
import { runDemo } from "./demo/run.ts";
import { startService } from "./demo/service.ts";
import { tellStory } from "./demo/tell.ts";

const service = await startService();
try {
  const report = await runDemo(service);
  if (process.argv.includes("--json")) console.log(JSON.stringify(report));
  else for (const line of tellStory(report)) console.log(line);
  if (!report.ledger.verified) process.exitCode = 1;
} finally {
  await service.stop();
}
