/** How long bodies of a capability's decisions are kept, in whole days after the outcome; what a tenant's operator sets stands before it. */
export interface Retention {
  /** Inputs, where the capability keeps them: 30 days where it is left out. */
  readonly inputsDays?: number;
  /** Everything that is encrypted beside an entry: as long as the tenant is there where it is left out. */
  readonly payloadDays?: number;
}

/** The longest that a rule of retention may say, in days. */
export const mostRetentionDays = 36_500;
