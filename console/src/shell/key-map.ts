/** One key, one meaning, everywhere. Letters can be given another key in Settings. */
export const keyMap: readonly {
  readonly where: string;
  readonly rows: readonly { readonly key: string; readonly does: string }[];
}[] = [
  {
    where: "Everywhere",
    rows: [
      { key: "?", does: "These keys" },
      { key: "j", does: "Next" },
      { key: "k", does: "Previous" },
      { key: "enter", does: "Open, or confirm in a bar" },
      { key: "esc", does: "Back one step" },
      { key: "/", does: "Find" },
      { key: ".", does: "Load what is new" },
    ],
  },
  {
    where: "Review",
    rows: [
      { key: "a", does: "Approve, accept" },
      { key: "r", does: "Reject" },
      { key: "e", does: "Edit" },
      { key: "c", does: "Claim, release" },
      { key: "n", does: "Ask for a new proposal" },
      { key: "w", does: "Withdraw" },
      { key: "u", does: "Unchanged fields" },
      { key: "1–9", does: "Evidence by its number" },
      { key: "[ ]", does: "Turn its pages" },
    ],
  },
  {
    where: "Decision, ledger, operations, ask",
    rows: [
      { key: "← →", does: "Previous, next node" },
      { key: "p", does: "Replay" },
      { key: "s", does: "Story" },
      { key: "v", does: "Verify" },
      { key: "x", does: "Escalate" },
      { key: "ctrl enter", does: "Ask" },
    ],
  },
];
