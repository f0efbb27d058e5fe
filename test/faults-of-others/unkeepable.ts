import { testTime } from "../../src/testing/index.ts";

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;
const throwing = {
  toJSON(): never {
    throw new Error("not me");
  },
};

/** What JSON cannot keep, with what it is. */
export const unkeepable: readonly [string, unknown][] = [
  ["money as a BigInt", 8_200_000n],
  ["a Date", new Date(testTime)],
  ["a cycle", cycle],
  ["a throwing `toJSON`", throwing],
  ["a getter that throws", Object.defineProperty({}, "amount", { enumerable: true, get: throwing.toJSON })],
  ["NaN", Number.NaN],
  ["a Map", new Map([["amount", 1]])],
];
