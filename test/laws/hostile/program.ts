// What hostile code in a process would try: it holds what `start` hands that process, and the code of everything, the hands' too.
// Prints one line of JSON for each attempt. The same program in another half's process is the control: there some of it succeeds.
import { isCountersignError } from "../../../src/contract/errors.ts";
import type { WriterRole } from "../../../src/contract/words.ts";
import { attempts } from "./attempts.ts";
import { openWorld } from "./world.ts";

/** What came of one attempt. */
export interface Attempted {
  readonly name: string;
  readonly isDone: boolean;
  /** Where it was not: the code or the message of what refused it. */
  readonly why: string | null;
}

// Written by `runHostile`, the only one that starts this file. As `owner` the database URL is the administrator's.
const { side, only, target } = JSON.parse(process.argv[2] ?? "{}") as {
  side: WriterRole | "owner";
  only: readonly string[] | null;
  target: Parameters<typeof openWorld>[0]["target"];
};
const world = openWorld({ env: process.env, side, target });
for (const attempt of attempts) {
  if (only !== null && !only.includes(attempt.name)) continue;
  const why = await attempt.run(world).then(
    () => null,
    (thrown: unknown) => (isCountersignError(thrown) ? `${thrown.code}: ${thrown.message}` : String(thrown)),
  );
  const attempted: Attempted = { name: attempt.name, isDone: why === null, why };
  process.stdout.write(`${JSON.stringify(attempted)}\n`);
}
await world.close();
