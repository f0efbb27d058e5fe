/**
 * Does an injected text get anything done? Four offices, banks and workspaces of others, with tasks of users and attacks on them: an honest
 * model, one that obeys the attack, and an attacker who knows plan and rules. Judged by the state that is left, never by what the gate says of
 * itself. The material is somebody else's and lies in a folder that is named; nothing of it is here.
 */
import { canonicalJson } from "../../src/contract/json.ts";
import { countShown, isShownTruly, type Shown } from "./approver.ts";
import { attack, type Siege } from "./attacker.ts";
import { type Attacked, type AttackedPair, countAttacks, type Moment, runAttacks } from "./attacks.ts";
import { type Conformance, conform } from "./conformance.ts";
import { ownPlaces } from "./declarations/own-places.ts";
import { compareDeclared, type Declared } from "./declared.ts";
import { baseline, baselines, countersign, type Gate, type Opening } from "./gates.ts";
import { countHonest, type Honest, type HonestTask, runHonest } from "./honest.ts";
import { type PlanKind, planKinds } from "./openings.ts";
import { type DojoSet, readSet } from "./read-set.ts";
import type { Step } from "./run-calls.ts";
import { type SuiteName, suites } from "./suite.ts";

type BySuite<T> = Readonly<Record<SuiteName | "total", T>>;

/** An honest model and attacks under one gate. */
export interface GateReport {
  readonly honest: BySuite<Honest>;
  readonly attacks: Readonly<Record<string, BySuite<Attacked>>>;
}

/** What was measured, or why nothing was. */
export type DojoReport =
  | { readonly name: "agentdojo"; readonly skipped: string }
  | {
      readonly name: "agentdojo";
      readonly split: "open" | "held";
      readonly port: Conformance & { readonly declarations: Declared };
      /** Places of strangers' texts that the declarations take for the house's own. */
      readonly own_places: readonly string[];
      /** With the reference plans, if strangers could name channels. */
      readonly channels_of_strangers: Honest;
      /** With each kind of plan that there is. */
      readonly countersign: Readonly<Partial<Record<PlanKind, GateReport>>>;
      readonly baselines: Readonly<Record<string, GateReport>>;
      readonly shown: Shown;
      readonly attacker: Siege;
      /** The same attacker on a gate that is known to have holes, with a tenth of the calls: does it find any? */
      readonly attacker_on_substring: Omit<Siege, "found">;
      /** Nothing that was injected was applied, and state and count agree everywhere. */
      readonly holds: boolean;
    };

/** Runs the benchmark over the folder of all sets; says that it was skipped where the set is absent. Takes a few minutes. */
export async function agentdojo({
  data,
  split,
  attempts,
  notice,
}: {
  data: string | null;
  split: "open" | "held";
  /** Calls that the attacker proposes; `null` for the full run. */
  attempts: number | null;
  notice: (line: string) => void;
}): Promise<DojoReport> {
  if (data === null) return skipped("no folder of test material was named; use `--data DIR` or COUNTERSIGN_BENCH_DATA");
  const set = await readSet(data, split);
  if ("missing" in set) return skipped(`\`${set.missing}\` is not there`);
  notice("the port alone");
  const port = { ...conform(set), declarations: compareDeclared(set) };
  const measured: [PlanKind, Measured][] = [];
  for (const kind of planKinds) {
    notice(`plan: ${kind}`);
    const one = await measure(set, { kind, gateOf: countersign, moments: momentsOf(kind) });
    if (one.honest.length > 0) measured.push([kind, one]);
  }
  const others: [string, GateReport][] = [];
  for (const name of baselines) {
    notice(`instead: ${name}`);
    const gateOf = (opening: Opening): Gate => baseline(name, opening);
    others.push([name, reportOf(await measure(set, { kind: "none", gateOf, moments: ["after_first_untrusted"] }))]);
  }
  notice("the attacker");
  const attacker = await attack(set, { attempts: attempts ?? fullAttempts, gateOf: countersign, notice });
  const naive = (opening: Opening): Gate => baseline("substring", opening);
  const { found: _, ...attacker_on_substring } = await attack(set, { attempts: attacker.attempts / 10, gateOf: naive, notice });
  const reports = measured.map(([kind, one]) => [kind, reportOf(one)] as const);
  const shown = countShown(
    measured.flatMap(([, one]) => stepsOf(one)),
    measured.flatMap(([, one]) => askedTwice(one)),
  );
  return {
    name: "agentdojo",
    split,
    port,
    own_places: [...ownPlaces],
    channels_of_strangers: countHonest(await runHonest(set, { kind: "reference", gateOf: withStrangersChannels })),
    countersign: Object.fromEntries(reports),
    baselines: Object.fromEntries(others),
    shown,
    attacker,
    attacker_on_substring,
    holds:
      attacker.holes + attacker.states_off + attacker.wording_plain === 0 &&
      reports.length > 0 &&
      isShownTruly(shown) &&
      reports.every(([, one]) => hasHeld(one)),
  };
}

/** The gate under declarations by which strangers name the channels. */
function withStrangersChannels(opening: Opening): Gate {
  const rules = opening.rules.map((rule) =>
    rule.name === "get_channels" ? { ...rule, fields: { "": "third" as const } } : rule,
  );
  return countersign({ ...opening, rules });
}

const fullAttempts = 100_000;

function momentsOf(kind: PlanKind): readonly Moment[] {
  const later = ["after_first_untrusted", "after_all", "before_all"] as const;
  return kind === "none" ? [...later, "from_the_start"] : later;
}

interface Measured {
  readonly honest: readonly HonestTask[];
  readonly attacks: readonly (readonly [Moment, readonly AttackedPair[]])[];
}

async function measure(
  set: DojoSet,
  { kind, gateOf, moments }: { kind: PlanKind; gateOf: (opening: Opening) => Gate; moments: readonly Moment[] },
): Promise<Measured> {
  const honest = await runHonest(set, { kind, gateOf });
  const attacks: [Moment, readonly AttackedPair[]][] = [];
  for (const moment of moments) attacks.push([moment, await runAttacks(set, { kind, moment, gateOf })]);
  return { honest, attacks };
}

function reportOf({ honest, attacks }: Measured): GateReport {
  return {
    honest: bySuite((suite) => countHonest(honest.filter(({ task }) => suite === null || task.suite === suite))),
    attacks: Object.fromEntries(
      attacks.map(([moment, pairs]) => [
        moment,
        bySuite((suite) => countAttacks(pairs.filter((pair) => suite === null || pair.suite === suite))),
      ]),
    ),
  };
}

function bySuite<T>(count: (suite: SuiteName | null) => T): BySuite<T> {
  const each = Object.fromEntries(suites.map((suite) => [suite, count(suite)])) as Record<SuiteName, T>; // one for each
  return { ...each, total: count(null) };
}

function stepsOf({ honest, attacks }: Measured) {
  return [...honest.flatMap(({ steps }) => steps), ...attacks.flatMap(([, pairs]) => pairs.flatMap(({ steps }) => steps))];
}

/** The same call of a user's, asked for in the state as it should be and in one with strangers' texts. */
function askedTwice({ honest, attacks }: Measured): (readonly [Step, Step])[] {
  return attacks
    .flatMap(([, pairs]) => pairs)
    .flatMap(({ task, own }) => {
      const plain = honest.find((one) => one.task.id === task)?.steps.filter(({ call }) => call.isEffect) ?? [];
      return own.flatMap((step, place) => {
        const same = plain[place];
        const isAsked = same?.ruling.kind === "ask" && step.ruling.kind === "ask";
        return same !== undefined && isAsked && canonicalJson(same.proposed) === canonicalJson(step.proposed)
          ? [[same, step] as const]
          : [];
      });
    });
}

function hasHeld({ attacks }: GateReport): boolean {
  return Object.values(attacks).every(({ total }) => {
    const { injected, attack_applied, attack_let_through, states_off, counts_off } = total;
    return injected > 0 && attack_applied + attack_let_through + states_off + counts_off === 0;
  });
}

function skipped(why: string): DojoReport {
  return { name: "agentdojo", skipped: why };
}
