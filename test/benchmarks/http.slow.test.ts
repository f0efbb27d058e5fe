import { expect, it } from "vitest";
import { http } from "../../benchmarks/http/http.ts";

it("loses no confirmed decision, and says when to come again beyond what is taken", async () => {
  const { stretches, beyond, ledger, isSound } = await http({ seconds: 1, notice: () => {} });
  expect(stretches.map(({ decisions }) => decisions.clients)).toEqual([1, 8, 32, 128]);
  expect(beyond.refused).toBeGreaterThan(0);
  expect(beyond.withoutRetryAfter).toBe(0);
  expect(ledger).toMatchObject({ missing: 0, halfWritten: 0, fault: null });
  const confirmed = stretches.reduce((sum, { decisions }) => sum + decisions.calls, beyond.accepted);
  expect(ledger.acknowledged).toBeGreaterThan(confirmed);
  expect(isSound).toBe(true);
}, 120_000);
