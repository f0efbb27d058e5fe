import { CountersignError } from "../contract/errors.ts";

/** One group's way to the database: writes its items in one commit and answers each, in order. */
export type WriteGroup<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

/** How a lane of grouped writes behaves. */
export interface LaneOptions<Item, Answer> {
  readonly write: WriteGroup<Item, Answer>;
  readonly sizeOf: (item: Item) => number;
  /** What no two items of one group may share, such as the decision they end. */
  readonly keyOf: (item: Item) => string;
  /** Says whether a failure of a group may be one item's fault, so that each is tried alone. */
  readonly isItemFault: (thrown: unknown) => boolean;
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Groups on the wire at once; the second waits at the server behind the first. */
  readonly maxGroups: number;
}

/** A lane that groups what is handed in while earlier groups commit. */
export interface Lane<Item, Answer> {
  readonly submit: (item: Item) => Promise<Answer>;
  /** Resolves when nothing is waiting or on the wire. */
  readonly drain: () => Promise<void>;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (thrown: unknown) => void;
}

/** Opens a lane. A group leaves as soon as there is room on the wire, so a lone item waits for nobody. */
export function openLane<Item, Answer>(options: LaneOptions<Item, Answer>): Lane<Item, Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  const drained: (() => void)[] = [];
  let onWire = 0;
  let isPlanned = false;

  // The turn of the event loop is let finish first: what else becomes ready in it joins the group.
  const plan = (): void => {
    if (isPlanned || waiting.length === 0 || onWire >= options.maxGroups) return;
    isPlanned = true;
    setImmediate(dispatch);
  };
  const dispatch = (): void => {
    isPlanned = false;
    while (waiting.length > 0 && onWire < options.maxGroups) {
      onWire += 1;
      const group = takeGroup(waiting, options);
      void settle(group, options).finally(() => {
        onWire -= 1;
        plan();
        if (onWire === 0 && waiting.length === 0) for (const done of drained.splice(0)) done();
      });
    }
  };
  return {
    submit: (item) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        plan();
      }),
    drain: () => (onWire === 0 && waiting.length === 0 ? Promise.resolve() : new Promise((done) => void drained.push(done))),
  };
}

function takeGroup<Item, Answer>(waiting: Waiting<Item, Answer>[], options: LaneOptions<Item, Answer>): Waiting<Item, Answer>[] {
  const keys = new Set<string>();
  let bytes = 0;
  let count = 0;
  for (const { item } of waiting) {
    const key = options.keyOf(item);
    bytes += options.sizeOf(item);
    // Items leave in the order they came; one that shares a key with the group begins the next.
    if (count > 0 && (count === options.maxItems || bytes > options.maxBytes || keys.has(key))) break;
    keys.add(key);
    count += 1;
  }
  return waiting.splice(0, count);
}

async function settle<Item, Answer>(group: readonly Waiting<Item, Answer>[], options: LaneOptions<Item, Answer>): Promise<void> {
  try {
    const answers = await options.write(group.map(({ item }) => item));
    for (const [i, { resolve, reject }] of group.entries()) {
      const answer = answers[i];
      if (answer === undefined)
        reject(new CountersignError("internal", "a group was written and one of its items has no answer"));
      else resolve(answer);
    }
  } catch (thrown) {
    if (group.length > 1 && options.isItemFault(thrown)) {
      for (const one of group) await settle([one], options);
      return;
    }
    for (const { reject } of group) reject(thrown);
  }
}
