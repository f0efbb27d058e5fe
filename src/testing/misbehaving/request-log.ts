import type { ReceivedRequest } from "./receive.ts";

/** What a server received, and who waits for more of it. */
export interface RequestLog {
  readonly requests: readonly ReceivedRequest[];
  readonly add: (request: ReceivedRequest) => void;
  /** Resolves with the request of that number, counted from 1; rejects when the log ends before. */
  readonly received: (number: number) => Promise<ReceivedRequest>;
  readonly end: () => void;
}

interface Waiter {
  readonly number: number;
  readonly resolve: (request: ReceivedRequest) => void;
  readonly reject: (error: Error) => void;
}

/** Opens an empty log. */
export function openRequestLog(): RequestLog {
  const requests: ReceivedRequest[] = [];
  const waiters = new Set<Waiter>();
  let isOver = false;

  const add = (request: ReceivedRequest): void => {
    requests.push(request);
    for (const waiter of waiters) {
      if (waiter.number !== requests.length) continue;
      waiters.delete(waiter);
      waiter.resolve(request);
    }
  };

  const received = (number: number): Promise<ReceivedRequest> => {
    const come = requests[number - 1];
    if (come) return Promise.resolve(come);
    const promise = new Promise<ReceivedRequest>((resolve, reject) => {
      if (isOver) reject(neverCame(number));
      else waiters.add({ number, resolve, reject });
    });
    // Who has stopped waiting is not told.
    promise.catch(() => {});
    return promise;
  };

  const end = (): void => {
    isOver = true;
    for (const { number, reject } of waiters) reject(neverCame(number));
    waiters.clear();
  };

  return { requests, add, received, end };
}

function neverCame(number: number): Error {
  return new Error(`the misbehaving model was closed before request ${number} came`);
}
