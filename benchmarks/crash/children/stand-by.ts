/** A process that has loaded its program and waits to be told that it is its turn: another one has just died. */

/** What it is told: the last of its environment. */
export interface Go {
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `work` once the parent says so; ends with the parent. */
export function standBy(work: () => Promise<void>): void {
  const orphaned = (): void => process.exit(1);
  process.once("disconnect", orphaned);
  // Only `createPool` sends here, and only this.
  process.once("message", (message: Go) => {
    process.removeListener("disconnect", orphaned);
    Object.assign(process.env, message.env);
    work().catch((thrown) => {
      console.error(thrown);
      process.exit(1);
    });
  });
  process.send?.({ loaded: true });
}
