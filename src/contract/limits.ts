/** Limits that hold everywhere; each is checked where the value enters. */
export const limits = {
  /** Largest HTTP body, in bytes. */
  bodyBytes: 256 * 1024,
  /** Longest free-text request, in UTF-16 code units. */
  requestText: 20_000,
  /** Longest id of a tenant, principal, capability or effect. */
  idLength: 63,
  /** Longest idempotency key. */
  idempotencyKeyLength: 200,
  /** Longest business key of an operation. */
  businessKeyLength: 300,
  /** Largest payload of one decision, in bytes of canonical JSON. */
  payloadBytes: 8 * 1024 * 1024,
  /** Longest model reply that is parsed, in UTF-16 code units. */
  replyText: 1_000_000,
  /** Most that is kept of a reply that does not fit, in bytes of JSON. */
  misfitBytes: 64 * 1024,
  /** Most that is kept of all the replies of one decision, in bytes of JSON: the longest that fits, and room beside it in the payload. */
  repliesBytes: 4 * 1024 * 1024,
  /** Retries after a reply that does not fit. */
  maxRetries: 2,
  /** Longest reply that a model is asked for, in tokens, where its choice names no other. */
  outputTokens: 4096,
  /** Longest reply that a choice of a model may ask for, in tokens. */
  mostOutputTokens: 1_000_000,
  /** Most tokens of one kind in the usage of one call: the largest count that its column holds. */
  tokensOfKind: 2 ** 31 - 1,
  /** Longest wait for one answer of a provider, in milliseconds. */
  modelSendMs: 30_000,
  /** Longest wait for a reply to one attempt, requests that are sent again and pauses included, in milliseconds. */
  modelCallMs: 60_000,
  /** What one run may use at most where its capability sets no cap: requests to models, reads through tools, tokens, milliseconds, parts. */
  run: { turns: 64, toolCalls: 64, tokens: 2_000_000, ms: 600_000, children: 32 },
  /** What one run takes of a shared budget of that unit where its capability sets no cap: a dollar in millionths, tokens, requests. */
  sharedRun: { costMicros: 1_000_000, tokens: 100_000, turns: 12 },
  /** Most steps of a bounded loop. */
  loopSteps: 6,
  /** Most sub-queries of one plan of retrieval. */
  subQueries: 8,
  /** Most tokens of context that a prompt is made over, where its capability names no other number; one is taken to be three bytes. */
  contextTokens: 100_000,
  /** Most reads that the runtime makes for one plan. */
  plannedReads: 40,
  /** Most tools whose contracts stand in a prompt. */
  maxToolsInPrompt: 8,
  /** Longest time that a bounded loop may be given, in milliseconds. */
  loopMs: 300_000,
  /** Longest arguments of a tool in a loop, in UTF-16 code units of JSON: every later prompt repeats them. */
  toolArguments: 4_000,
  /** Longest text of what one step of a loop found, as the model is shown it, in UTF-16 code units; more of it is a fault of the step. */
  observationText: 20_000,
  /** How long a decider holds an intent before the sweeper may end it, in milliseconds. */
  intentLeaseMs: 60_000,
  /** How long an approval is good for, in milliseconds. */
  approvalMs: 4 * 60 * 60 * 1000,
  /** How long a proposal waits for a person before it expires, in milliseconds. */
  waitingMs: 7 * 24 * 60 * 60 * 1000,
  /** How long a person has a waiting decision to themselves, in milliseconds, unless they extend it. */
  takenMs: 15 * 60 * 1000,
  /** How long a worker holds an operation without renewing it, in milliseconds: so long a dead one's operations lie. */
  operationLeaseMs: 5_000,
  /** Largest data of a case, and largest input that one is started with, in bytes of canonical JSON. */
  caseDataBytes: 64 * 1024,
  /** Largest body of an event that a case is told, in bytes of canonical JSON. */
  caseEventBytes: 16 * 1024,
  /** Most events that wait in one case for a step to take them up. */
  caseEventsWaiting: 100,
  /** Longest key of a case or of an event, in characters. */
  caseKeyLength: 100,
  /** Most steps that one case enters; beyond it, it is left to its owner. */
  caseSteps: 1_000,
  /** Most branches of one step. */
  caseBranches: 50,
  /** Most passages of one document. */
  passagesOfDocument: 20_000,
} as const;

/** The form of the ids of tenants, principals, capabilities and effects. */
export const idPattern = /^[a-z0-9][a-z0-9_.-]{0,62}$/;
