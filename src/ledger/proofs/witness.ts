import { CountersignError } from "../../contract/errors.ts";
import { openCheckpointFolder } from "./checkpoint-folder.ts";

/** A checkpoint that is handed to a witness: somewhere that whoever owns the database does not own. */
export interface Handed {
  readonly tenant: string;
  readonly size: number;
  readonly text: string;
}

/** Hands a checkpoint on. Throws `witness_unavailable` where it was not taken; the next one says more than this one did. */
export type Witness = (checkpoint: Handed) => Promise<void>;

/** How long a witness may take to answer, in milliseconds. */
const answerMs = 10_000;

/**
 * Opens the witness that a setting names: an https URL (http on this machine) that takes each checkpoint by POST as plain text, or a folder.
 * Throws `configuration_invalid` for another kind of URL, and for one with a user or a password in it.
 */
export function openWitness(place: string): Witness {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return keepIn(place);
  const url = URL.canParse(place) ? new URL(place) : null;
  const isOpen = url?.protocol === "https:" || (url?.protocol === "http:" && ownNames.has(url.hostname));
  if (url === null || !isOpen || url.username !== "" || url.password !== "")
    throw new CountersignError("configuration_invalid", "a witness is an https URL without a password, or a folder");
  return (checkpoint) => post(url, checkpoint);
}

const ownNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

function keepIn(directory: string): Witness {
  const folder = openCheckpointFolder(directory);
  return async (checkpoint) => {
    try {
      await folder.keep(checkpoint);
    } catch (cause) {
      throw unavailable("the folder of the witness cannot be written", cause);
    }
  };
}

async function post(url: URL, { text }: Handed): Promise<void> {
  const init = {
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: text,
    redirect: "error",
  } as const;
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) }).catch((cause) => {
    throw unavailable("the witness cannot be reached", cause);
  });
  await answer.body?.cancel();
  if (!answer.ok) throw unavailable(`the witness answered ${answer.status}`, null);
}

function unavailable(what: string, cause: unknown): CountersignError {
  return new CountersignError("witness_unavailable", `${what}; the next checkpoint is handed to it in a minute`, { cause });
}
