import type { FieldUnits } from "./calculation.ts";
import type { FieldLabel } from "./context.ts";
import type { Aggregate, FieldPolicy, GroupSize } from "./field-policy.ts";
import type { JsonObject } from "./json.ts";
import type { Envelope } from "./principal.ts";

/** Which credential a connector holds: the deciding half reads, the acting half writes with one and observes with another. */
export type ConnectorSide = "reads" | "writes" | "observes";

/** A way into a system of record: its side, the vault name of its credential, and how to open and close it. */
export interface Connector<S extends ConnectorSide, Client> {
  readonly name: string;
  readonly side: S;
  /** The name under which the vault of this process knows the credential; never the value. */
  readonly secret: string;
  readonly open: (secret: string) => Promise<Client>;
  readonly close: (client: Client) => Promise<void>;
}

/** A typed, parameterised query over a system of record; the envelope scopes it. */
export interface RecordQuery<Client> {
  readonly name: string;
  /** What a person reads as the source, such as "Device register"; the name where it is left out. */
  readonly title?: string;
  /** The id of a row within the query, without personal data. */
  readonly key: (row: JsonObject) => string;
  /**
   * When a row left its system of record, in milliseconds since the epoch, for a connector that answers from a cache or a copy.
   * Where it is left out, a row is as old as the start of its query: true only of a connector that asks the system itself.
   */
  readonly readAt?: (row: JsonObject) => number;
  /** Who can write each field; an undeclared field is `third`. */
  readonly labels: { readonly [field: string]: FieldLabel };
  /** What the numbers of its fields are in, for calculations and for how they are written. */
  readonly units?: FieldUnits;
  /** Which fields nobody is shown, or only in part. */
  readonly fields?: FieldPolicy;
  /** Rows are shown as totals of groups alone. */
  readonly aggregate?: Aggregate;
  /** The system of record groups itself; groups below the least are left out. */
  readonly groupSize?: GroupSize;
  readonly run: (client: Client, params: JsonObject, envelope: Envelope) => Promise<readonly JsonObject[]>;
}

/** A client type is erased here: what is left is a query by name over an opened connector. */
export interface RecordSource {
  /** Without a name of a secret where the system takes no credential; `open` is handed an empty one then. */
  readonly connector: Omit<Connector<"reads" | "observes", never>, "open" | "close" | "secret"> & {
    readonly secret: string | null;
  };
  readonly queries: readonly Omit<RecordQuery<never>, "run">[];
  readonly open: (secret: string) => Promise<OpenRecordSource>;
}

export interface OpenRecordSource {
  readonly run: (query: string, params: JsonObject, envelope: Envelope) => Promise<readonly JsonObject[]>;
  /** The same with the time at which the answer left its system of record, for a connector that knows it even where there is no row. */
  readonly read?: (query: string, params: JsonObject, envelope: Envelope) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** The rows of one answer. */
export interface Answer {
  readonly rows: readonly JsonObject[];
  /** Milliseconds since the epoch; `undefined` where the rows say it themselves or the query was answered by the system itself. */
  readonly readAt?: number | undefined;
}
