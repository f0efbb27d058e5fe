import { CountersignError, messageOf } from "../contract/errors.ts";
import { embeddedStatus, startEmbedded } from "../store/embedded.ts";

const lookEveryMs = 1_000;
const mostInARow = 5;

/**
 * Starts the embedded database again when it ends, on the port that it had, until the returned function ends the watch.
 * The processes reach it again by themselves; until then they answer `database_unavailable`.
 */
export function keepDatabase({
  directory,
  say,
  onGivenUp,
}: {
  directory: string;
  say: (line: string) => void;
  onGivenUp: (error: CountersignError) => void;
}): () => Promise<void> {
  let failures = 0;
  let isEnding = false;
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    if ((await embeddedStatus({ directory })).kind === "running" || isEnding) return;
    say("the database ended; starting it again");
    try {
      await startEmbedded({ directory });
      failures = 0;
      say("the database works again");
    } catch (thrown) {
      failures += 1;
      say(messageOf(thrown));
      if (failures === mostInARow)
        onGivenUp(
          new CountersignError(
            "database_unavailable",
            `the database ended and could not be started ${failures} times; see \`postgres.log\``,
          ),
        );
    }
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookEveryMs);
  return async () => {
    isEnding = true;
    clearInterval(timer);
    await looking;
  };
}
