import type { CheckpointFault } from "./checkpoint.ts";
import type { LineFault } from "./export-form.ts";

/** What can be wrong with an export or a proof; a closed list, the same in every verifier. */
export type ExportFault =
  | LineFault
  | CheckpointFault
  | "checkpoint_foreign"
  | "checkpoint_differs"
  | "no_checkpoint"
  | "seal_missing"
  | "seal_repeated"
  | "seal_altered"
  | "chain_broken"
  | "entry_altered"
  | "entry_replaced"
  | "tail_cut"
  | "proof_invalid";

/** The first thing that is wrong, and where. `seq` is the entry's place, `line` the file's, counted from 1; `null` where there is none. */
export interface ExportFinding {
  readonly isVerified: false;
  readonly tenant: string | null;
  readonly fault: ExportFault;
  readonly line: number | null;
  readonly seq: number | null;
  readonly entryId: string | null;
  readonly detail: string;
}

/** An export that holds: how many entries it has, and up to which of them a signed checkpoint covers it. */
export interface ExportVerified {
  readonly isVerified: true;
  readonly kind: "export";
  readonly tenant: string;
  readonly entries: number;
  readonly covered: number;
  readonly checkpoints: number;
  /** Entries that say what was erased. */
  readonly erasures: number;
}

/** A proof that holds. */
export type ProofVerified =
  | {
      readonly isVerified: true;
      readonly kind: "inclusion";
      readonly tenant: string;
      readonly seq: number;
      readonly entryId: string;
      readonly size: number;
    }
  | {
      readonly isVerified: true;
      readonly kind: "consistency";
      readonly origin: string;
      readonly from: number;
      readonly to: number;
    };

/** What a check of an export or a proof came to. */
export type ExportReport = ExportFinding | ExportVerified | ProofVerified;

/** A finding with nothing known of its place but what is given. */
export function finding(
  fault: ExportFault,
  { detail, ...at }: { readonly detail: string } & Partial<Pick<ExportFinding, "tenant" | "line" | "seq" | "entryId">>,
): ExportFinding {
  const { tenant = null, line = null, seq = null, entryId = null } = at;
  return { isVerified: false, tenant, fault, line, seq, entryId, detail };
}

/** Says a report in lines for people; the stand-alone verifiers print the same. */
export function reportLines(report: ExportReport): readonly string[] {
  if (!report.isVerified) {
    const { tenant, fault, line, seq, entryId, detail } = report;
    const place =
      seq === null ? (line === null ? "" : ` at line ${line}`) : ` at entry ${seq}${entryId === null ? "" : ` (${entryId})`}`;
    return [`${tenant ?? "unknown"}: BROKEN${place}`, `  ${fault}: ${detail}`];
  }
  switch (report.kind) {
    case "export": {
      const { tenant, entries, covered, erasures } = report;
      const erased = erasures === 0 ? "" : `; ${erasures} erasures on record`;
      return [`${tenant}: verified to ${entries}; covered by a checkpoint to ${covered}, ${entries - covered} after it${erased}`];
    }
    case "inclusion": {
      const { tenant, seq, entryId, size } = report;
      return [`${tenant}: entry ${seq} (${entryId}) stands in the tree of ${size}`];
    }
    case "consistency":
      return [`${report.origin}: the tree of ${report.to} continues the tree of ${report.from}`];
  }
}

/** A report as one JSON object with its members in a fixed order; the stand-alone verifiers print the same. */
export function reportJson(report: ExportReport): object {
  const { isVerified, ...rest } = report;
  return { verified: isVerified, ...rest };
}
