/** Where something is held: a file, and the name of a test in it as it stands in the source. */
export interface Held {
  readonly file: string;
  readonly name: string;
}

/** A fault that other systems shipped, and the tests that are named after what must hold here; or with what it comes later. */
export interface Fault {
  readonly section: "approving and acting" | "state";
  readonly fault: string;
  readonly held: readonly Held[] | { readonly comesWith: string };
}

const acting = "test/postgres/acting-faults.test.ts";
const steps = "test/postgres/cases-steps.slow.test.ts";
const events = "test/postgres/cases-events.test.ts";
const law6 = "test/laws/law-06-one-key-one-consequence.test.ts";
const here = (file: string) => `test/faults-of-others/${file}.test.ts`;
const own = here("approving-and-acting");

const approving: readonly Omit<Fault, "section">[] = [
  {
    fault: "A step writes a row that tells of it, then waits for two approvals that come at different times: more than one row.",
    held: [
      { file: steps, name: "write one row however long the next step waits for two approvals that are given at different times" },
      { file: acting, name: "that come at different times: what waits for two of them was told of once and is applied once" },
    ],
  },
  {
    fault: "A refund of £10 and one of £1,000 wait in one decision: approving the first approves the second.",
    held: [
      { file: acting, name: "of a small and a large change that wait in one decision: signing the first never signs the second" },
    ],
  },
  {
    fault: "An approval is answered again with the opposite, and the second answer counts.",
    held: [
      {
        file: own,
        name: "answered with the opposite keeps its first answer, either way round, and the second is refused and on record",
      },
    ],
  },
  {
    fault: "A call takes longer than the lease, or its worker is stopped in mid-call: it is dispatched twice, or writes late.",
    held: [
      { file: own, name: "keeps its lease and is not dispatched twice, however often other workers look" },
      { file: "test/postgres/acting-crash.slow.test.ts", name: "is overtaken, and its late write is fenced off when it wakes" },
    ],
  },
  { fault: "The policy store cannot be reached when a decision goes on.", held: { comesWith: "policies that are kept apart" } },
  { fault: "A gated effect that is found through a search is not gated.", held: { comesWith: "the registry of tools" } },
  {
    fault: "The same sub-task twice in one request with different inputs has one identity.",
    held: [
      { file: acting, name: "with different inputs has two identities, each applied once" },
      { file: steps, name: "are two identities where the same case runs twice with different inputs, or with the same" },
    ],
  },
  {
    fault: "A client posts a history that contains an approval which the server never issued, and is believed.",
    held: [
      { file: here("edges"), name: "is refused %s" },
      {
        file: here("edges"),
        name: "is text like any other within a text, and approves nothing; only a signature at the desk does",
      },
    ],
  },
  {
    fault: "A signed approval does not survive a round trip through JSON, a browser and the database.",
    held: [
      {
        file: acting,
        name: "survive the way through JSON, a browser and the database, with the signature over the same bytes",
      },
    ],
  },
  {
    fault: "One of two parallel proposals is denied, and the other goes down with it.",
    held: [{ file: acting, name: "of one of two parallel proposals denied: the other goes on" }],
  },
  {
    fault: "An event for another case arrives in mid-effect; two handlers start one business key in the same instant.",
    held: [
      { file: events, name: "is moved by its own events alone, while another case's effect is being applied" },
      { file: events, name: "is one case's, also where two handlers start it in the same instant" },
    ],
  },
  {
    fault: "Of two approvals in sequence on one case the second does not work.",
    held: [
      { file: steps, name: "work where two of them in a row wait for an approval" },
      { file: acting, name: "given twice in a sequence over one ticket both work" },
    ],
  },
  {
    fault: "The rule of approval changes after the approval, and nobody looks again.",
    held: [
      {
        file: acting,
        name: "whose rule has changed since are asked again before the send: one that %s is refused with the reason",
      },
      { file: "test/postgres/acting-standing.test.ts", name: "is not carried further once the owner has closed the slice" },
    ],
  },
  {
    fault: "An approval is given before it expires and used after that.",
    held: [
      { file: own, name: "that a worker comes to %s" },
      {
        file: acting,
        name: "given a second before they expire and come to after that are refused, and the proposal waits again",
      },
    ],
  },
  {
    fault: "£82,000 were approved, and the resumed run pays £820,000.",
    held: [{ file: own, name: "of £82,000 never pays £820,000: it is refused by digest, wherever the other amount came in" }],
  },
  {
    fault: "Who allowed it cannot be answered from the ledger alone.",
    held: [{ file: acting, name: "say from the ledger alone who allowed it, back from what was seen" }],
  },
  {
    fault: "Two workers take the same operation in the same instant, and both apply it.",
    held: [
      {
        file: law6,
        name: "that is approved four times in the same instant is applied once, by two workers and by three processes",
      },
      {
        file: "test/postgres/acting.test.ts",
        name: "is applied once by eight workers that find the approvals in the same instant",
      },
    ],
  },
  {
    fault: "A model fails after an effect, and the retry of the whole run repeats the effect.",
    held: [
      {
        file: here("model-error"),
        name: "a model error after an effect: the retry of the whole run under its keys finds the effect done and repeats nothing",
      },
      {
        file: here("model-error"),
        name: "a model error after an effect: a retry without keys is another decision of the same change, which is not made again",
      },
    ],
  },
  {
    fault: "The provider commits, the reply is lost, and the retry pays a second refund.",
    held: [
      {
        file: law6,
        name: "what committed, lost its reply and shows late is sent again under the same key, which the target honours: no second consequence",
      },
      {
        file: "test/postgres/acting-unknown.test.ts",
        name: "after the target committed leaves the operation unknown, and a look makes it complete with exactly one row",
      },
    ],
  },
  {
    fault: "An effect hangs beyond its limit, and is forgotten.",
    held: [
      { file: own, name: "and is deaf to being aborted is unknown, due at once, and complete when a look finds it" },
      {
        file: own,
        name: "and cannot be looked at either is looked at again until its deadline, and then a person is called: never forgotten",
      },
    ],
  },
];

const state: readonly Omit<Fault, "section">[] = [
  {
    fault: "Money as a BigInt, a Date, a cycle or a throwing `toJSON` in state or params becomes something else on the way.",
    held: [
      { file: "src/contract/json.test.ts", name: "refuses %s and says where" },
      { file: here("state"), name: "is refused as an input before anything is written" },
      { file: here("state"), name: "stops the decision whose params hold it, with the code: %s" },
      { file: here("state"), name: "stops the decision whose state before holds it, in a row or by the definition's doing: %s" },
      { file: here("state"), name: "is no observation: nothing is said to be done on it, and a person is called: %s" },
      { file: here("cases"), name: "is refused in an input and in an event, with a code, and the case stands as it was" },
      { file: here("cases"), name: "that a definition makes of its own data leaves the case to its owner, with a code: %s" },
    ],
  },
  {
    fault: "What is stored for each of 2,000 steps grows with the steps before it; tool results of 512 KB pile up over 50 turns.",
    held: [
      { file: events, name: "is stored once: a step costs the same however much it is and however many went before" },
      { file: here("cases"), name: "enters as many steps as it may and is then left to its owner: it never grows for ever" },
      { file: here("growth"), name: "of 512 KB each are neither kept nor sent on, and the turns are capped" },
      {
        file: here("growth"),
        name: "that are as large as they may be grow with the number of turns and no faster, in what is kept and in each prompt",
      },
    ],
  },
  {
    fault: "An id of 10,000 characters, or with slashes, quotes, emoji or NUL, breaks a door or finds something else.",
    held: [
      { file: here("edges"), name: "%s is found nowhere, at every door that takes one, and leaves nothing" },
      { file: here("edges"), name: "%s is the name of nothing in a body, and is refused there" },
      { file: here("edges"), name: "a request with slashes and quotes in it keeps its requests apart and finds them again" },
      { file: events, name: "of the form `%s` is refused in words" },
      { file: here("state"), name: "with %j in them are one change like any other, kept as they are" },
      { file: here("state"), name: "that a definition makes of %s stop the decision" },
    ],
  },
  {
    fault: "Ten branches finish in the same instant, and an update is lost.",
    held: [{ file: steps, name: "lose no update when ten branches end in the same instant" }],
  },
];

/** Every fault of the two lists. */
export const faults: readonly Fault[] = [
  ...approving.map((one) => ({ section: "approving and acting", ...one }) as const),
  ...state.map((one) => ({ section: "state", ...one }) as const),
];
