import type { Client } from "countersign/client";

/** A decision as the API gives it. */
export type View = Awaited<ReturnType<Client["decision"]>>;

/** A request with the view of its last decision: intake's where it asked back, else the picked capability's. */
export interface Asked {
  readonly text: string;
  readonly view: View;
}
