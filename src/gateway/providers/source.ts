import type { ModelChoice } from "../../contract/capability.ts";
import { CountersignError } from "../../contract/errors.ts";
import { idPattern } from "../../contract/limits.ts";
import type { Provider, ProviderSource } from "../../contract/model.ts";
import type { ModelCatalogue } from "../../contract/model-catalogue.ts";
import { complete, type Dialect } from "./complete.ts";
import { faultOf } from "./faults.ts";
import { type Pins, pinRefusal } from "./pinned.ts";

/** What every provider is set up with. */
export interface ProviderOptions {
  /** What capabilities call it by in a `ModelChoice`. */
  readonly name: string;
  /**
   * Says that the privacy boundary is off: what a prompt holds is sent as it is, and every entry of a decision shows it. The decider
   * starts with it only where a person has signed a reason (`countersign privacy allow-off`).
   */
  readonly boundary?: "off";
  /** Where the provider stands, such as `eu`, in the words of the project's privacy policy; `elsewhere` unless given. */
  readonly region?: string;
  /** Whether replies are streamed: keeps long ones from being cut by what stands between. Nothing is passed on before it is whole. */
  readonly stream?: boolean;
  /** Ids of which you know that they do not change, though they look as if they might. */
  readonly pinned?: readonly string[];
}

/**
 * Makes the source of a provider: what a project's `decide.ts` lists. Throws `definition_invalid` for a name or an address that cannot
 * be; opening it throws `configuration_invalid` for a key that cannot be sent. The key stands in a closure and nowhere else.
 */
export function providerSource({
  options: { name, boundary, region },
  secret,
  baseUrl,
  pins,
  refusalOf: otherRefusal,
  dialectOf,
  catalogue,
}: {
  options: ProviderOptions;
  secret: string | null;
  baseUrl: string;
  pins: Pins;
  /** Why a choice with a pinned id is not taken. */
  refusalOf: (model: ModelChoice) => string | null;
  dialectOf: (key: string | null) => Dialect;
  catalogue?: ModelCatalogue;
}): ProviderSource {
  if (!idPattern.test(name)) throw invalid("a provider's name has lower-case letters, digits, `_`, `.` and `-`, 63 at most");
  if (region !== undefined && !idPattern.test(region))
    throw invalid(`the region of the provider \`${name}\` has lower-case letters, digits, \`_\`, \`.\` and \`-\`, 63 at most`);
  const refusalOf = (model: ModelChoice) => pinRefusal(model.id, pins) ?? otherRefusal(model);
  const isPinned = (id: string) => pinRefusal(id, pins) === null;
  const common = {
    ...({ name, isScripted: false, host: hostOf(name, baseUrl), refusalOf, isPinned } as const),
    ...(boundary === undefined ? {} : { boundary }),
    ...(region === undefined ? {} : { region }),
  };
  return Object.freeze<ProviderSource>({
    ...common,
    secret,
    ...(catalogue === undefined ? {} : { catalogue }),
    open: (key) => {
      refuseKey(name, secret, key);
      const dialect = dialectOf(key);
      const provider: Provider = {
        ...common,
        complete: async (request, cancel) => {
          const refusal = refusalOf(request.model);
          return refusal === null ? complete(dialect, request, cancel) : faultOf("refused_request", refusal);
        },
      };
      return Object.freeze(provider);
    },
  });
}

function hostOf(name: string, baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
  if (isPlain) return url.host;
  throw invalid(`the provider \`${name}\` has no usable base URL; write one with http or https, without a key and a query in it`);
}

/** What cannot stand in a header would be quoted by the error about it. */
function refuseKey(name: string, secret: string | null, key: string | null): void {
  if (secret === null && key === null) return;
  if (secret !== null && key !== null && /^[\x21-\x7e]{1,4096}$/.test(key)) return;
  const what = secret === null ? "takes no key" : `needs a key of visible ASCII characters in \`${secret}\``;
  throw new CountersignError("configuration_invalid", `the provider \`${name}\` ${what}`);
}

function invalid(message: string): CountersignError {
  return new CountersignError("definition_invalid", message);
}
