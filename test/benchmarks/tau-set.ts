import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

// A set of our own in the form of the real one: a shop with two customers and an airline with two.

type State = Record<string, Record<string, Record<string, unknown>>>;

const address = { address1: "1 Elm", address2: "", city: "Ghent", state: "", country: "Belgium", zip: "9000" };
const shopper = (id: string, methods: Record<string, object>) => ({
  user_id: id,
  email: `${id}@example.com`,
  name: { first_name: id, last_name: "Doe" },
  address,
  orders: [],
  payment_methods: methods,
});
const order = (id: string, { by, status }: { by: string; status: string }) => ({
  order_id: id,
  user_id: by,
  address,
  status,
  items: ["11", "21"].map((item_id) => ({
    item_id,
    product_id: item_id.slice(0, 1),
    name: "Thing",
    price: 10,
    options: { size: item_id },
  })),
  fulfillments: [],
  payment_history: [{ transaction_type: "payment", amount: 20, payment_method_id: `card_${by}` }],
});
const product = (id: string) => ({
  product_id: id,
  name: `Product ${id}`,
  variants: Object.fromEntries(
    ["1", "2"].map((n) => [
      `${id}${n}`,
      { item_id: `${id}${n}`, price: 10 + Number(n), available: true, options: { size: `${id}${n}` } },
    ]),
  ),
});

export const retail = (): State => ({
  users: {
    ann: shopper("ann", { card_ann: { id: "card_ann", source: "credit_card" } }),
    bob: shopper("bob", { card_bob: { id: "card_bob", source: "gift_card", balance: 5.5 } }),
  },
  orders: {
    "#W1": order("#W1", { by: "ann", status: "pending" }),
    "#W2": order("#W2", { by: "bob", status: "pending" }),
  },
  products: { "1": product("1"), "2": product("2") },
});

const traveller = (id: string) => ({ user_id: id, payment_methods: {}, reservations: [] });

const airline = (): State => ({
  users: { ann: traveller("ann"), bob: traveller("bob") },
  flights: {},
  reservations: {},
});

/** The state with one document altered. */
function withDocument(state: State, path: string, members: object): State {
  const [collection = "", id = ""] = path.split("/");
  const copy = structuredClone(state);
  return { ...copy, [collection]: { ...copy[collection], [id]: { ...copy[collection]?.[id], ...members } } };
}

/** The hash of a state after the rule of the set; written here once more, so that the benchmark is not held against itself. */
export function hashOf(state: State): string {
  const sorted = (value: unknown): string => {
    if (typeof value === "number") return String(Number(value.toFixed(2)));
    if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return `{${members
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${sorted(member)}`)
      .join(",")}}`;
  };
  return createHash("sha256").update(sorted(state)).digest("hex");
}

const write = (name: string, args: object, outcome = "ok") => ({ name, arguments: args, class: "write", outcome });
const taskOf = (id: string, { domain, user, actions, after, sound = null }: TaskParts) => ({
  id,
  domain,
  user_id: user,
  actions,
  expected: { changed: actions.length > 0, final_state_hash: hashOf(after) },
  ...(sound === null ? {} : { expected_if_upstream_bug_fixed: { final_state_hash: hashOf(sound) } }),
});
interface TaskParts {
  domain: string;
  user: string;
  actions: readonly object[];
  after: State;
  sound?: State | null;
}

const cancel = { order_id: "#W2", reason: "no longer needed" };
const refund = { transaction_type: "refund", amount: 20, payment_method_id: "card_bob" };
const swapped = (variants: readonly string[]): State => {
  const items = order("#W1", { by: "ann", status: "" }).items.map((item, place) => {
    const size = variants[place] ?? "";
    return { ...item, item_id: ["12", "22"][place], price: 10 + Number(size[1]), options: { size } };
  });
  return withDocument(retail(), "orders/#W1", {
    items,
    status: "pending (item modified)",
    payment_history: [
      { transaction_type: "payment", amount: 20, payment_method_id: "card_ann" },
      { transaction_type: "payment", amount: 4, payment_method_id: "card_ann" },
    ],
  });
};
const cancelled = withDocument(
  withDocument(retail(), "orders/#W2", {
    status: "cancelled",
    cancel_reason: "no longer needed",
    payment_history: [{ transaction_type: "payment", amount: 20, payment_method_id: "card_bob" }, refund],
  }),
  "users/bob",
  { payment_methods: { card_bob: { id: "card_bob", source: "gift_card", balance: 25.5 } } },
);
const certificate = { id: "certificate_3221322", amount: 50, source: "certificate" };
const thanked = withDocument(airline(), "users/ann", { payment_methods: { certificate_3221322: certificate } });
const swap = { order_id: "#W1", item_ids: ["11", "21"], new_item_ids: ["12", "22"], payment_method_id: "card_ann" };

/** Tasks of the shop: a cancellation that is refused the second time, and a change of two items, which the fault touches. */
export const retailTasks = [
  taskOf("shop/1", {
    domain: "retail",
    user: "bob",
    actions: [
      { name: "get_order_details", arguments: { order_id: "#W2" }, class: "read", outcome: "ok" },
      write("cancel_pending_order", cancel),
      write("cancel_pending_order", cancel, "error"),
    ],
    after: cancelled,
  }),
  taskOf("shop/2", {
    domain: "retail",
    user: "ann",
    actions: [write("modify_pending_order_items", swap)],
    after: swapped(["22", "22"]),
    sound: swapped(["12", "22"]),
  }),
];
const airlineTasks = [
  taskOf("air/1", {
    domain: "airline",
    user: "ann",
    actions: [write("send_certificate", { user_id: "ann", amount: 50 })],
    after: thanked,
  }),
  taskOf("air/2", { domain: "airline", user: "bob", actions: [], after: airline() }),
];
const calls = {
  retail: [
    {
      id: "call/1",
      domain: "retail",
      call: { name: "cancel_pending_order", arguments: cancel },
      outcome: "ok",
      diff: [
        { op: "add", path: "/orders/#W2/cancel_reason", after: "no longer needed" },
        { op: "add", path: "/orders/#W2/payment_history/1", after: refund },
        { op: "replace", path: "/orders/#W2/status", after: "cancelled" },
        { op: "replace", path: "/users/bob/payment_methods/card_bob/balance", after: 25.5 },
      ],
    },
  ],
  airline: [
    {
      id: "call/2",
      domain: "airline",
      call: { name: "cancel_reservation", arguments: { reservation_id: "NO" } },
      outcome: "error",
      diff: [],
    },
  ],
};
const recorded = [
  {
    id: "recorded/1",
    user_id: "bob",
    calls: [{ name: "send_certificate", arguments: { user_id: "bob", amount: 500 }, class: "write", in_tau2_gold: false }],
  },
];

/** Writes the set below a folder. */
export async function putSet(data: string, { tasks = retailTasks }: { tasks?: readonly object[] } = {}): Promise<void> {
  const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const files: Record<string, string> = {
    "common/db.retail.json": JSON.stringify(retail()),
    "common/db.airline.json": JSON.stringify(airline()),
    "common/tools.retail.json": JSON.stringify({ initial_state_hash: hashOf(retail()) }),
    "common/tools.airline.json": JSON.stringify({ initial_state_hash: hashOf(airline()) }),
    "open/tau2-retail.jsonl": lines(tasks),
    "open/tau1-retail-train.jsonl": "",
    "open/tau1-retail-dev.jsonl": "",
    "open/tau2-airline.jsonl": lines(airlineTasks),
    "open/calls-retail.jsonl": lines(calls.retail),
    "open/calls-airline.jsonl": lines(calls.airline),
    "open/recorded-gpt4o-airline.jsonl": lines(recorded),
  };
  for (const [file, text] of Object.entries(files)) {
    const path = join(data, "tau-retail-airline", file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}
