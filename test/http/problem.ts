import { expect } from "vitest";
import { errorCodes } from "../../src/contract/errors.ts";
import type { Service } from "./decider-house.ts";

/** What every refusal looks like, whoever answers. */
export function expectProblem(
  { status, headers, text, json }: Awaited<ReturnType<Service["send"]>>,
  code: keyof typeof errorCodes,
): void {
  expect({ status, code: json.code }, text).toEqual({ status: errorCodes[code].status, code });
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(json).toMatchObject({
    type: `urn:countersign:error:${code}`,
    title: errorCodes[code].means,
    next: `see docs/errors.md, section ${code}`,
  });
  expect(json.detail.length).toBeGreaterThan(10);
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|\.ts\b/);
  expect(text.length).toBeLessThan(2_000);
}
