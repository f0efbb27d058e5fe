import type { Answer, ConnectorSide, OpenRecordSource, RecordSource } from "../../../contract/connector.ts";
import { CountersignError } from "../../../contract/errors.ts";
import type { Clock } from "../../../contract/ports.ts";
import type { HttpQuery } from "../../../contract/record-query.ts";
import { systemClock } from "../../../store/clock.ts";
import { type HttpPlace, runHttp } from "./run-http.ts";

/** A service that answers in JSON, and what is read of it. */
export interface HttpRecordsOptions {
  readonly name: string;
  /** `https:`, or a loopback address; paths of queries come behind it. */
  readonly baseUrl: string;
  /** The vault name of its credential; `null` where it takes none. */
  readonly secret: string | null;
  /** The header that holds the credential, and what stands before it there; `authorization: Bearer` unless told. */
  readonly credential?: { readonly header: string; readonly prefix: string };
  readonly queries: readonly HttpQuery[];
  readonly clock?: Pick<Clock, "now">;
}

/** Record queries over HTTP under a reading credential: `GET` alone, to one address. Throws `definition_invalid`. */
export function httpRecords(options: HttpRecordsOptions): RecordSource {
  return httpSource("reads", options);
}

/** The same for the acting half, under its observing credential. */
export function httpObserved(options: HttpRecordsOptions): RecordSource {
  return httpSource("observes", options);
}

function httpSource(side: Exclude<ConnectorSide, "writes">, options: HttpRecordsOptions): RecordSource {
  const { name, secret, queries, credential = { header: "authorization", prefix: "Bearer " }, clock = systemClock } = options;
  const baseUrl = checkAddress(name, options.baseUrl);
  const byName = new Map(queries.map((query) => [query.name, query]));
  if (byName.size !== queries.length) throw invalid(`connector \`${name}\` has two queries of one name`);
  if (!/^[a-z][a-z0-9-]{0,60}$/.test(credential.header))
    throw invalid(`connector \`${name}\` needs the name of a header in lower case`);
  return Object.freeze({
    connector: { name, side, secret },
    queries,
    open: async (value: string): Promise<OpenRecordSource> => {
      const held = secret === null ? null : { header: credential.header, value: credential.prefix + value, secret: value };
      const place: HttpPlace = { baseUrl, credential: held, clock };
      const ending = new AbortController();
      const read: NonNullable<OpenRecordSource["read"]> = async (query, params, envelope): Promise<Answer> => {
        const found = byName.get(query);
        if (found === undefined) throw invalid(`connector \`${name}\` has no query \`${query}\``);
        return runHttp({ place, query: found, params, envelope, ending: ending.signal });
      };
      return { read, run: async (...asked) => (await read(...asked)).rows, close: async () => ending.abort() };
    },
  });
}

/** An address to which neither a credential nor an answer goes in the open. */
function checkAddress(name: string, address: string): URL {
  const url = URL.parse(address);
  if (url === null) throw invalid(`connector \`${name}\` has no usable address`);
  if (url.username !== "" || url.password !== "")
    throw invalid(`connector \`${name}\` has a credential in its address; give it by \`secret\``);
  if (url.search !== "" || url.hash !== "") throw invalid(`connector \`${name}\` has more than a path in its address`);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
    throw invalid(`connector \`${name}\` is neither at \`https:\` nor at a loopback address`);
  return url;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:[.][0-9]{1,3}){3}$/.test(host);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
