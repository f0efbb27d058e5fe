/**
 * The release matrix: what an effect must stand before policy may let it pass alone. Each cell breaks one thing around the project's own
 * hands and looks at the ledger and at the target. Runs against a sandbox only; never against a system that anybody relies on.
 */
import { faultName, messageOf } from "../../contract/errors.ts";
import { type CellResult, isReleased, type ReleaseCell, type ReleaseReport, releaseCells } from "../../contract/release.ts";
import { contractDigest } from "../../define/contract-digest.ts";
import { sha256Digest } from "../../store/digest.ts";
import { approvalExpired, credentialExpired, staleState } from "./before-cells.ts";
import type { Bench } from "./bench.ts";
import type { Cell } from "./cell.ts";
import { compensationLimits } from "./compensation-cell.ts";
import { handOff, verifierFailure, verifierLooks } from "./looking-cells.ts";
import {
  environmentDenied,
  environmentPermitted,
  targetDenied,
  targetPermitted,
  tenantDenied,
  tenantPermitted,
} from "./permission-cells.ts";
import { duplicateSubmit, partialFailure, timeoutAfter, timeoutBefore } from "./sending-cells.ts";

const cellOf: Readonly<Record<ReleaseCell, Cell>> = {
  target_permitted: targetPermitted,
  target_denied: targetDenied,
  tenant_permitted: tenantPermitted,
  tenant_denied: tenantDenied,
  environment_permitted: environmentPermitted,
  environment_denied: environmentDenied,
  stale_state: staleState,
  approval_expired: approvalExpired,
  credential_expired: credentialExpired,
  timeout_before: timeoutBefore,
  timeout_after: timeoutAfter,
  duplicate_submit: duplicateSubmit,
  partial_failure: partialFailure,
  verifier_looks: verifierLooks,
  verifier_failure: verifierFailure,
  compensation_limits: compensationLimits,
  hand_off: handOff,
};

/** Runs every cell, one after the other. A cell that cannot be run has failed. */
export async function runMatrix(bench: Bench, onCell: (result: CellResult) => void = () => {}): Promise<ReleaseReport> {
  const cells: CellResult[] = [];
  for (const cell of releaseCells) {
    const result = { cell, ...(await run(cellOf[cell], bench)) };
    cells.push(result);
    onCell(result);
  }
  return reportOf(bench, cells);
}

/** What is reported of an effect that the sandbox gives nothing to try on: no cell ran, so it is not released. */
export function withoutSamples(effect: Bench["effect"]): ReleaseReport {
  const says = `\`sandbox.ts\` has no \`release\` entry for \`${effect.name}\``;
  return reportOf(
    { effect },
    releaseCells.map((cell) => ({ cell, state: "no_sample", says })),
  );
}

async function run(cell: Cell, bench: Bench): ReturnType<Cell> {
  try {
    return await cell(bench);
  } catch (thrown) {
    return { state: "failed", says: `it could not be run: ${faultName(thrown)}: ${messageOf(thrown).slice(0, 300)}` };
  }
}

function reportOf({ effect }: Pick<Bench, "effect">, cells: readonly CellResult[]): ReleaseReport {
  const { name, version, environments } = effect;
  return {
    ...{ effect: name, version, environments: [...environments] },
    definition: contractDigest(effect, sha256Digest),
    isPassed: isReleased(cells),
    cells,
  };
}
