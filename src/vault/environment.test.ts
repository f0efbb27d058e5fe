import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { isCountersignError } from "../contract/errors.ts";
import { environmentVault } from "./environment.ts";
import { refuseSharedNames, type VaultSide } from "./names.ts";

const declared = {
  reads: ["HELPDESK_READ_URL"],
  models: ["MODEL_KEY"],
  writes: ["HELPDESK_WRITE_URL"],
  observes: ["HELPDESK_OBSERVE_URL"],
};
const own = {
  deciding: ["COUNTERSIGN_DECIDING_URL", "COUNTERSIGN_ASSERTION_PUBLIC_KEYS", "COUNTERSIGN_DECIDER_PORT"],
  desk: [
    "COUNTERSIGN_DESK_URL",
    "COUNTERSIGN_DESK_KEY",
    "COUNTERSIGN_ASSERTION_KEY",
    "COUNTERSIGN_OIDC_CLIENT_SECRET",
    "COUNTERSIGN_DECIDER_URL",
    "PORT",
  ],
  acting: [
    "COUNTERSIGN_ACTING_URL",
    "COUNTERSIGN_POLICY_KEY",
    "COUNTERSIGN_DESK_PUBLIC_KEYS",
    "COUNTERSIGN_HEADS",
    "COUNTERSIGN_LEDGER_KEY",
  ],
};
const forAll = ["COUNTERSIGN_PAYLOAD_KEY", "COUNTERSIGN_ENVIRONMENT", "COUNTERSIGN_PROJECT"];
const open: Record<VaultSide, string[]> = {
  deciding: [...forAll, ...own.deciding, ...declared.reads, ...declared.models],
  desk: [...forAll, ...own.desk],
  acting: [...forAll, ...own.acting, ...declared.writes, ...declared.observes],
};
const everyName = [...new Set(Object.values(open).flat())];
/** Every secret of the project, as if one environment held them all by mistake; each value is a canary. */
const env = Object.fromEntries(everyName.map((name) => [name, `CANARY_${name.length}_${name.split("").reverse().join("")}`]));
const sides: VaultSide[] = ["deciding", "desk", "acting"];

describe.each(sides)("the vault of the %s process", (side) => {
  const vault = environmentVault({ side, env, declared });

  it("resolves the names of its side", () => {
    for (const name of open[side]) expect(vault.secret(name)).toBe(env[name]);
  });

  it("knows no name of another side, even where the environment holds its value", () => {
    const others = everyName.filter((name) => !open[side].includes(name));
    expect(others.length).toBeGreaterThan(5);
    for (const name of others)
      expect(failure(() => vault.secret(name))).toMatchObject({ code: "secret_missing", facts: { name, side } });
  });

  it("lets no value into an error, whatever is asked for", () => {
    const asked = [
      ...everyName,
      ...Object.values(env),
      "UNKNOWN",
      "",
      "__proto__",
      "constructor",
      "postgres://u:CANARY_@h/db",
      "\n",
    ];
    const empty = environmentVault({ side, env: {}, declared });
    for (const name of asked) {
      for (const one of [vault, empty]) {
        const shown = open[side].includes(name) && one === vault ? "" : everythingIn(failure(() => one.secret(name)));
        if (one === vault || !name.startsWith("CANARY_")) expect(shown).not.toContain("CANARY_");
      }
    }
  });

  it("shows no value when it is printed", () => {
    expect(everythingIn(vault)).not.toContain("CANARY_");
    expect(JSON.stringify(vault)).toBe("{}");
  });
});

describe("the environment vault", () => {
  it.each([undefined, "", " \n"])("says of the value %j that the name has none", (value) => {
    const vault = environmentVault({ side: "deciding", env: { MODEL_KEY: value }, declared });
    expect(failure(() => vault.secret("MODEL_KEY"))).toMatchObject({
      code: "secret_missing",
      message: "the variable `MODEL_KEY` is not set or is empty; set it for the deciding process",
    });
  });

  it("opens before the project is loaded, for its own settings alone", () => {
    const vault = environmentVault({ side: "deciding", env });
    expect(vault.secret("COUNTERSIGN_PROJECT")).toBe(env["COUNTERSIGN_PROJECT"]);
    expect(failure(() => vault.secret("HELPDESK_READ_URL"))).toMatchObject({ code: "secret_missing" });
  });

  it("takes nothing from the environment's prototype and no later change of it", () => {
    const changing: Record<string, string> = Object.assign(Object.create({ MODEL_KEY: "inherited" }), {
      HELPDESK_READ_URL: "before",
    });
    const vault = environmentVault({ side: "deciding", env: changing, declared });
    changing["HELPDESK_READ_URL"] = "after";
    expect(vault.secret("HELPDESK_READ_URL")).toBe("before");
    expect(failure(() => vault.secret("MODEL_KEY"))).toMatchObject({ code: "secret_missing" });
  });
});

describe("declared names", () => {
  it.each([
    ["reads", "writes"],
    ["reads", "observes"],
    ["models", "writes"],
    ["models", "observes"],
    ["writes", "observes"],
  ] as const)("are refused at the start when %s and %s share one", (one, other) => {
    const doubled = { ...declared, [one]: [...declared[one], "SHARED_URL"], [other]: [...declared[other], "SHARED_URL"] };
    const refusal = { code: "configuration_invalid", message: expect.stringContaining("`SHARED_URL`") };
    expect(failure(() => refuseSharedNames(doubled))).toMatchObject(refusal);
    for (const side of sides) expect(failure(() => environmentVault({ side, env, declared: doubled }))).toMatchObject(refusal);
  });

  it("may be shared within the deciding half", () => {
    expect(() => refuseSharedNames({ ...declared, reads: ["ONE_KEY"], models: ["ONE_KEY"] })).not.toThrow();
  });

  it("may not be Countersign's own, which would open another side's key", () => {
    const reaching = { ...declared, reads: ["COUNTERSIGN_POLICY_KEY"] };
    expect(failure(() => environmentVault({ side: "deciding", env, declared: reaching }))).toMatchObject({
      code: "configuration_invalid",
    });
  });

  it("may not be values; what was given is not repeated", () => {
    const pasted = { ...declared, writes: ["postgres://u:CANARY_1@h/db"] };
    const thrown = failure(() => refuseSharedNames(pasted));
    expect(thrown).toMatchObject({ code: "configuration_invalid" });
    expect(everythingIn(thrown)).not.toContain("CANARY_");
  });
});

function failure(work: () => unknown): Error {
  try {
    work();
  } catch (thrown) {
    if (isCountersignError(thrown)) return thrown;
    throw thrown;
  }
  throw new Error("nothing was thrown");
}

/** All that a log, a debugger or a serializer could show. */
function everythingIn(value: object): string {
  return `${inspect(value, { showHidden: true, depth: 9, getters: true })} ${JSON.stringify(value)} ${String(value)}`;
}
