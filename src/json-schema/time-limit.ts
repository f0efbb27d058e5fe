import { type Context, createContext, Script } from "node:vm";
import { LimitReached } from "./evaluate.ts";

/**
 * Makes a runner of work that is ended after a time, in milliseconds, even in the middle of matching a regular expression. Throws
 * `LimitReached` then. It costs about half a millisecond a run, so only what may be slow is run in it.
 */
export function timeLimited(ms: number): <T>(work: () => T) => T {
  let room: { readonly context: Context; readonly script: Script } | null = null;
  return (work) => {
    // The text is fixed; nothing of a schema or a value is ever run as code. Most contracts never come here.
    room ??= { context: createContext(Object.create(null)), script: new Script("work()") };
    const { context, script } = room;
    const slot: { result?: ReturnType<typeof work> } = {};
    context["work"] = () => {
      slot.result = work();
    };
    try {
      script.runInContext(context, { timeout: ms });
    } catch (thrown) {
      if (isTimeout(thrown)) throw new LimitReached(`more than ${ms} ms`, { cause: thrown });
      throw thrown;
    } finally {
      context["work"] = undefined;
    }
    return slot.result as ReturnType<typeof work>; // set, or the script threw
  };
}

function isTimeout(thrown: unknown): boolean {
  return typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
