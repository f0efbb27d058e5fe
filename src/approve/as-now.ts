import type { PolicyRuling, Principal } from "../contract/principal.ts";
import type { Accounts } from "./accounts.ts";
import { type Refusal, refusal, refusalByPolicy } from "./refusal.ts";

/** A question to policy about somebody. */
export type AskAbout = (principal: Principal) => PolicyRuling;

/**
 * Asks policy twice about whoever signed: as they signed, and as their account is by now. Refuses with `approver_not_permitted`, under
 * the rule `signer_inactive` where the account is not there or not active. `null` where nothing stands against it.
 */
export async function judgeSigner(signer: Principal, asking: { accounts: Accounts; ask: AskAbout }): Promise<Refusal | null> {
  const { ask, accounts } = asking;
  const then = ask(signer);
  if (then.kind === "refused") return refusalByPolicy("approver_not_permitted", then);
  const now = await accounts.now(signer);
  if (now === null)
    return refusal("approver_not_permitted", "signer_inactive", "the account of whoever signed is not active any more");
  const ruling = ask(now);
  return ruling.kind === "refused" ? refusalByPolicy("approver_not_permitted", ruling) : null;
}

/**
 * Asks policy twice about whoever asked: as the ledger knows them, and as their account is by now. Refuses with `policy_refuses`, under
 * the rule `requester_inactive` where their account, or that of whom they asked for, is not there or not active. What undoes an effect
 * belongs to it: the account's lists say nothing of that, and where a person signed it, nor does its state (`mayBeGone`).
 */
export async function judgeRequester(
  requester: Principal,
  asking: { accounts: Accounts; asks: readonly AskAbout[]; isUndoing: boolean; mayBeGone: boolean },
): Promise<Refusal | null> {
  const { accounts, asks, isUndoing, mayBeGone } = asking;
  const then = firstRefusal(requester, asks);
  if (then !== null) return then;
  const now = await accounts.now(requester);
  if (now === null && mayBeGone) return null;
  if (now === null)
    return refusal(
      "policy_refuses",
      "requester_inactive",
      "the account of whoever asked, or was asked for, is not active any more",
    );
  return firstRefusal(isUndoing ? { ...now, allow: requester.allow } : now, asks);
}

function firstRefusal(principal: Principal, asks: readonly AskAbout[]): Refusal | null {
  for (const ask of asks) {
    const ruling = ask(principal);
    if (ruling.kind === "refused") return refusalByPolicy("policy_refuses", ruling);
  }
  return null;
}
