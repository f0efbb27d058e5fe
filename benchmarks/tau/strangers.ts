/** The writes of one customer in the session of another, with a person who signs whatever waits. Nothing may be applied. */
import type { Decider } from "../../src/decider.ts";
import type { House } from "./house.ts";
import type { DomainSet, Task } from "./read-set.ts";
import { changesOf } from "./sandbox.ts";
import type { Asked } from "./scope.ts";
import { answer, inLanes, look, type Session, submit } from "./session.ts";

/** What became of such writes under one decider. */
export interface StrangeWrites {
  readonly tried: number;
  /** Refused before anybody was asked. */
  readonly refused: number;
  /** Signed by a person who looked at nothing. */
  readonly signed: number;
  /** Why the acting half refused what was signed, by code and how often. */
  readonly refusedWhenSigned: Readonly<Record<string, number>>;
  /** Documents that differ afterwards, and operations that were seen complete. */
  readonly applied: number;
}

/** Under the decider as it is, and under ones that were taken over and propose in the name of who asks, or of whose it is. */
export interface Strangers {
  readonly honest: StrangeWrites;
  readonly takenOver: StrangeWrites;
  readonly takenOverAsOwner: StrangeWrites;
}

/** Tries every gold write of one business. */
export async function measureStrangers(house: House, set: DomainSet): Promise<Strangers> {
  const honest = await tryAll(house, { set, mark: "h", decider: house.decider });
  const takenOver = await underHostile(house, { set, mark: "t", customer: "asker" });
  return { honest, takenOver, takenOverAsOwner: await underHostile(house, { set, mark: "o", customer: "owner" }) };
}

async function underHostile(
  house: House,
  { set, mark, customer }: { set: DomainSet; mark: string; customer: "asker" | "owner" },
): Promise<StrangeWrites> {
  const decider = await house.hostileDecider(customer);
  try {
    return await tryAll(house, { set, mark, decider });
  } finally {
    await decider.close();
  }
}

async function tryAll(
  house: House,
  { set, mark, decider }: { set: DomainSet; mark: string; decider: Decider },
): Promise<StrangeWrites> {
  const tenant = `${set.domain}.${mark}`;
  const writes = strangeWrites(set).map(({ asked, customer }) => ({
    asked,
    session: { tenant, domain: set.domain, customer } satisfies Session,
  }));
  await house.addTenants(writes.map(({ session }) => session));
  const answered = await inLanes(writes, async ({ session, asked }) => {
    const view = await submit(decider, { session, asked });
    if (view.state !== "waiting") return { session, decisionId: view.id, isSigned: false };
    await answer(house, { session, decisionId: view.id, gold: "anything" });
    return { session, decisionId: view.id, isSigned: true };
  });
  await house.worker.runOnce();
  const signed = answered.filter(({ isSigned }) => isSigned);
  const effects = await inLanes(signed, async ({ session, decisionId }) => (await look(house, session, decisionId)).effects[0]);
  const codes: Record<string, number> = {};
  for (const effect of effects) {
    const code = effect?.refusedCode ?? effect?.state ?? "none";
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return {
    tried: writes.length,
    refused: writes.length - signed.length,
    signed: signed.length,
    refusedWhenSigned: codes,
    applied: (await changesOf(house.admin, tenant)).size + effects.filter((effect) => effect?.state === "complete").length,
  };
}

/** Each accepted gold write with a customer whose it is not: that of the next task of somebody else. */
function strangeWrites({ tasks }: DomainSet): readonly { readonly asked: Asked; readonly customer: string }[] {
  return tasks.flatMap((task, place) => {
    const customer = strangerTo(task, [...tasks.slice(place), ...tasks.slice(0, place)]);
    if (customer === undefined) return [];
    return task.actions
      .filter((action) => action.class === "write" && action.outcome === "ok")
      .map((action) => ({ asked: { tool: action.name, args: action.arguments }, customer }));
  });
}

function strangerTo(task: Task, others: readonly Task[]): string | undefined {
  return others.find((other) => other.user_id !== task.user_id)?.user_id;
}
