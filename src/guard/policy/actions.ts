/** What is asked of policy, and the type of what it is asked about. The same list as in `policies/countersign.cedarschema`. */
export const actions = {
  useCapability: "Capability",
  readRecords: "Query",
  readDocuments: "Label",
  callTool: "Tool",
  proposeEffect: "Effect",
  seeDecision: "Decision",
  reviewDecision: "Decision",
  auditDecision: "Decision",
  seeReviews: "House",
  seeStops: "House",
  view: "View",
  seeBoard: "Board",
  sign: "Decision",
  resolve: "Decision",
  passAlone: "Effect",
  openSlice: "House",
  stop: "House",
  startCase: "CaseKind",
  tellCase: "Case",
  seeCase: "Case",
  seeCaseProgress: "Case",
  retryCase: "House",
  seeEveryCase: "House",
} as const;

export type Action = keyof typeof actions;
export type ResourceType = (typeof actions)[Action];

export const actionNames = Object.keys(actions) as [Action, ...Action[]]; // the keys of a closed object

/** Says whether a word is the name of an action. */
export function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}

/** The actions that are asked together with whether the account's allow-lists name what is asked about. */
export const listedActions: ReadonlySet<Action> = new Set(["useCapability", "readRecords", "proposeEffect"]);
