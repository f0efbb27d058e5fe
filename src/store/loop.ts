/** A piece of work that comes round again until it is stopped. */
export interface Loop {
  /** Resolves when the round that is running has ended; none begins after it. */
  readonly stop: () => Promise<void>;
}

/** Repeats work `everyMs` after its last end. A round that fails is reported and does not end the loop: the next tries again. */
export function startLoop({
  work,
  everyMs,
  onError,
}: {
  work: () => Promise<unknown>;
  everyMs: number;
  onError: (thrown: unknown) => void;
}): Loop {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const begin = (): void => {
    round = work().then(() => {}, onError);
    void round.then(() => {
      if (isStopped) return;
      timer = setTimeout(begin, everyMs);
      timer.unref();
    });
  };
  begin();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
