/** The form of a session's id: the client makes it, and it names nothing but turns of one principal. */
export const sessionPattern = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;

/** Where a request stands in a case: its step, whose task it is, and who handed it on. */
export interface WorkflowStep {
  readonly caseId: string;
  readonly case: string;
  readonly step: string;
  /** The step that handed the task on; `null` for the first. */
  readonly handedFrom: string | null;
  /** Who owns the case, and is told where nobody else can go on. */
  readonly owner: string;
}

/** A proposal of the same principal that still waits for a person. */
export interface OpenApproval {
  readonly decisionId: string;
  readonly capability: string;
  /** When it was proposed, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The runtime context beside who asks: injected where a request enters and handed down to every call. Nothing of it comes from a model,
 * and nothing of it is kept from one request to the next: each is looked up for its own principal.
 */
export interface Runtime {
  /** The session of which this is a turn; `null` outside one. */
  readonly session: string | null;
  readonly workflow: WorkflowStep | null;
  /** What of this principal waits for a person, newest first; `null` outside a session, where nobody looked. */
  readonly openApprovals: readonly OpenApproval[] | null;
  /** Where it runs, such as `eu`, and which switches are on; as the installation sets them. */
  readonly region: string | null;
  readonly flags: readonly string[];
}
