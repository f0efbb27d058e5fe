import { test } from "vitest";
import { writeFileSync } from "node:fs";
import { openLedger, request, record } from "./postgres/ledgerFixture.ts";
test("m", async () => {
  const l = await openLedger();
  const round = async (route: "auto" | "hitl_required") => {
    const all = Array.from({ length: 64 }, () => request());
    const t0 = performance.now();
    await Promise.all(all.map((r) => l.journal.open(r, 0)));
    const t1 = performance.now();
    await Promise.all(all.map((r) => l.journal.close(record(r, { route }))));
    return [t1 - t0, performance.now() - t1] as const;
  };
  const med = (xs: number[]) => xs.sort((a, b) => a - b)[Math.floor(xs.length / 2)]!.toFixed(2) + " min " + xs[0]!.toFixed(2);
  const r: Record<string, number[]> = {};
  for (let k = 0; k < 6; k++) {
    const withIndex = k % 2 === 0;
    await l.owner.query(withIndex ? "create index if not exists intent_asked on countersign.intent (tenant, principal, decision_id desc)" : "drop index if exists countersign.intent_asked");
    for (let i = 0; i < 5; i++) await round("auto");
    for (let i = 0; i < 25; i++) {
      for (const route of (i % 2 ? ["auto", "hitl_required"] : ["hitl_required", "auto"]) as ("auto" | "hitl_required")[]) {
        const [o, c] = await round(route);
        (r[`open ix=${withIndex}`] ??= []).push(o);
        (r[`close ${route} ix=${withIndex}`] ??= []).push(c);
      }
    }
  }
  writeFileSync("/tmp/measured2", Object.entries(r).map(([k, v]) => `${k}: median ${med(v)}`).join("\n"));
  await l.close();
}, 120000);
