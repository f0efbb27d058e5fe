import type { SliceEvidence } from "./autonomy.ts";
import type { Risk } from "./words.ts";

/** What an approval permits: one effect of one proposal, or one threshold of one slice. */
export type ApprovalSubject =
  | {
      readonly kind: "effect";
      readonly decisionId: string;
      readonly effectIndex: number;
      readonly effect: string;
      readonly capability: string;
      readonly capabilityVersion: string;
      readonly proposalDigest: string;
      readonly paramsDigest: string;
      readonly beforeDigest: string;
    }
  | {
      readonly kind: "slice";
      readonly capability: string;
      readonly capabilityVersion: string;
      readonly slice: string;
      readonly thresholdPpm: number;
      /** The digest of the definition that it is for (`basisOf`), and how its confidences are composed (`calibrationLabel`). */
      readonly basis: string;
      readonly calibration: string;
      /** What it rests on; `null` where a person signs without any evidence. */
      readonly evidence: SliceEvidence | null;
    };

/** The signed content of an approval; its canonical form is what the signature covers. */
export interface Grant {
  readonly version: 1;
  readonly id: string;
  readonly tenant: string;
  readonly environment: string;
  readonly subject: ApprovalSubject;
  readonly approver: {
    readonly kind: "person" | "policy";
    readonly id: string;
    readonly role: string;
    /** Reserved: the approver's own signature over the digest (a passkey). */
    readonly assertion: string | null;
  };
  /** Milliseconds since the epoch, by the store's clock. */
  readonly grantedAt: number;
  readonly expiresAt: number;
  readonly nonce: string;
  /** SHA-256 of the public key (SPKI, DER) in hex: the fingerprint that the acting side pins. */
  readonly keyId: string;
}

/** A grant that `approve/verify.ts` found good. The only maker is there; the acting half applies nothing else. */
export type Approved<T> = T & { readonly __approved: unique symbol };

/** How many people sign an effect of this risk: two different ones, who saw the same state before, where it is high. */
export function signaturesFor(risk: Risk): 1 | 2 {
  return risk === "high" ? 2 : 1;
}
