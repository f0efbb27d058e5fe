import { describe, expect, test } from "vitest";
import { checkBy, checkHere } from "../../benchmarks/ledger/check-handed.ts";
import { makeTamperings } from "../../benchmarks/ledger/tamperings.ts";

// Law 5 (second form): whoever holds an export and a published checkpoint finds change, removal, reordering and truncation, offline and
// without our code. The two verifiers of `verifiers/` import nothing of ours; they and `ledger verify --export` must say the same, word for word.
const { honest, tamperings } = makeTamperings();
const slow = { timeout: 60_000 };

describe("law 5: an export is checked without our code", () => {
  test("an honest export and a proof verify, and every verifier says the same", slow, async (context) => {
    const here = await checkHere(honest);
    expect(here.map((line) => JSON.parse(line))).toEqual([
      { verified: true, kind: "export", tenant: "acme", entries: 10, covered: 10, checkpoints: 2, erasures: 0 },
      { verified: true, kind: "inclusion", tenant: "acme", seq: 4, entryId: expect.any(String), size: 10 },
    ]);
    expect(await checkBy("verify.mjs", honest)).toEqual({ code: 0, lines: here });
    const python = await checkBy("verify.py", honest);
    context.skip(python === null, "python3 is not on this machine: verify.py was not run");
    expect(python).toEqual({ code: 0, lines: here });
  });

  test("there are more than twenty kinds of tampering, each with a name of its own", () => {
    expect(tamperings.length).toBeGreaterThan(20);
    expect(new Set(tamperings.map(({ name }) => name)).size).toBe(tamperings.length);
  });

  test.each(tamperings)("found and located: $name", slow, async ({ handed, fault, seq, line }) => {
    const here = await checkHere(handed);
    expect(here).toHaveLength(1);
    expect(JSON.parse(here[0] ?? "")).toMatchObject({ verified: false, fault, seq, ...(line === undefined ? {} : { line }) });
    expect(await checkBy("verify.mjs", handed)).toEqual({ code: 1, lines: here });
  });

  test.for(tamperings)("verify.py agrees: $name", slow, async ({ handed }, { skip }) => {
    const python = await checkBy("verify.py", handed);
    skip(python === null, "python3 is not on this machine: verify.py was not run");
    expect(python).toEqual({ code: 1, lines: await checkHere(handed) });
  });
});
