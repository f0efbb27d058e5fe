import type { AutonomyView, Simulation } from "../../contract/autonomy.ts";
import type { Calibration } from "../../contract/calibration.ts";
import { CountersignError } from "../../contract/errors.ts";
import type { PolicyRuling, Principal } from "../../contract/principal.ts";
import type { Autonomy } from "./open-autonomy.ts";

/** What people are told of slices; `forbidden` for whoever that board is not open to. */
export interface AutonomyBoard {
  /** What the tenant's slices have earned, what could be signed, and what was taken back. */
  readonly autonomy: (asking: { principal: Principal }) => Promise<AutonomyView>;
  /** What a threshold would have let through over a slice's own history. */
  readonly simulation: (asking: {
    principal: Principal;
    capability: string;
    slice: string;
    thresholdPpm: number;
  }) => Promise<Simulation>;
  /** A calibration that is fitted from what people decided; `not_enough_evidence`. */
  readonly calibration: (asking: { principal: Principal; capability: string }) => Promise<Calibration>;
}

/** Opens the board for those to whom `maySee` says yes. */
export function autonomyBoard(autonomy: Autonomy, maySee: (principal: Principal) => PolicyRuling): AutonomyBoard {
  const tenantOf = (principal: Principal): string => {
    const ruling = maySee(principal);
    if (ruling.kind === "permitted") return principal.tenant;
    throw new CountersignError("forbidden", ruling.reason, { facts: { rule: ruling.rule } });
  };
  return {
    autonomy: async ({ principal }) => autonomy.view(tenantOf(principal)),
    simulation: async ({ principal, ...of }) => autonomy.simulate({ tenant: tenantOf(principal), ...of }),
    calibration: async ({ principal, ...of }) => autonomy.fit({ tenant: tenantOf(principal), ...of }),
  };
}
