import { limits } from "../../contract/limits.ts";
import type { Taken } from "../../contract/views.ts";
import type { Answering, Signing } from "./answering.ts";
import { endTaken, refuseTaken, setTaken } from "./taken.ts";
import { checkSigner, lockClaim, openEffects, readBehindLock, readSeen } from "./waiting.ts";

/**
 * Takes a waiting decision up for `limits.takenMs`, or extends that for whoever has it. Throws `taken` where somebody else has it, and
 * what answering it throws: only who may answer takes up what waits.
 */
export async function takeUp(answering: Answering, signing: Signing): Promise<Taken> {
  const { principal, now } = answering;
  checkSigner({ principal, signing, story: await readSeen(answering, signing), risk: null });
  await lockClaim(answering);
  openEffects(await readBehindLock(answering, signing, "mark"));
  await refuseTaken(answering);
  const until = now + limits.takenMs;
  await setTaken(answering, until);
  return { by: principal.id, until };
}

/** Lets others answer again. Nothing happens where the principal does not have it; throws `not_found`. */
export async function release(answering: Answering, signing: Signing): Promise<void> {
  await readSeen(answering, signing);
  await endTaken(answering);
}
