// test-deps.ts
import { proposeForTest } from "../../../src/testing/test-deps.ts";
import type { Capability } from "countersign"; import { fixedContext } from "countersign/testing"; declare const capability: Capability;
export const told: [unknown, unknown][] = [];
const { proposal } = await proposeForTest({ capability, inputs: { text: "hello" }, deps: { context: fixedContext({}) } });

export type Shown = typeof proposeForTest;
