import type { Snapshot } from "../../contract/effect.ts";
import type { Json } from "../../contract/json.ts";
import type { Clients } from "../clients.ts";
import type { Applied, ApplyOptions, Hand, Hands } from "../hands.ts";

/** Sends through the project's own hand, with options changed where that is wanted. */
export type SendOn = (change?: Partial<ApplyOptions>) => Promise<Applied>;

/** What comes between the acting half and one effect's hand. What is left out goes through as it is. */
export interface Interference {
  /** The `nth` send, counted from 1. */
  readonly send?: (nth: number, sendOn: SendOn, options: ApplyOptions) => Promise<Applied>;
  /** The `nth` look, counted from 1. */
  readonly look?: (nth: number, look: () => Promise<Snapshot>) => Promise<Snapshot>;
}

/** What was asked of the hands so far. */
export interface Watched {
  readonly hands: Hands;
  /** The idempotency key of each send that the acting half made of an effect. */
  readonly sends: (effect: string) => readonly string[];
  /** How often the project's own hand was called to apply an effect. */
  readonly reached: (effect: string) => number;
}

/** The project's own hands with every send counted, and with something in between for one effect. Nobody is told: channels are left out. */
export function watchHands({
  hands,
  effect,
  interference,
}: {
  hands: Hands;
  effect: string;
  interference: Interference;
}): Watched {
  const sent: { readonly effect: string; readonly key: string }[] = [];
  const called: string[] = [];
  const watched = hands.hands.map((hand) =>
    watchHand(hand, {
      ...(hand.effect.name === effect ? interference : {}),
      onSend: (key) => sent.push({ effect: hand.effect.name, key }),
      onCall: () => called.push(hand.effect.name),
    }),
  );
  return {
    hands: { records: hands.records, hands: watched },
    sends: (name) => sent.filter((one) => one.effect === name).map(({ key }) => key),
    reached: (name) => called.filter((one) => one === name).length,
  };
}

type Watching = Interference & { readonly onSend: (key: string) => void; readonly onCall: () => void };

function watchHand(hand: Hand, { send, look, onSend, onCall }: Watching): Hand {
  let sends = 0;
  let looks = 0;
  return {
    effect: hand.effect,
    apply: {
      connector: hand.apply.connector,
      bind: async (clients: Clients) => {
        const run = await hand.apply.bind(clients);
        return async (params: Json, options: ApplyOptions) => {
          onSend(options.idempotencyKey);
          const sendOn: SendOn = (change = {}) => {
            onCall();
            return run(params, { ...options, ...change });
          };
          sends += 1;
          return send === undefined ? sendOn() : send(sends, sendOn, options);
        };
      },
    },
    observe: {
      connector: hand.observe.connector,
      bind: async (clients: Clients) => {
        const run = await hand.observe.bind(clients);
        return async (params, options) => {
          looks += 1;
          return look === undefined ? run(params, options) : look(looks, () => run(params, options));
        };
      },
    },
  };
}

/** What a call that took too long ends with. */
export function timedOut(): Error {
  const error = new Error("the call took longer than it may");
  error.name = "TimeoutError";
  return error;
}
