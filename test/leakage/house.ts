import type { Provider, ProviderRequest } from "../../src/contract/model.ts";
import type { ReplacedCounts } from "../../src/contract/privacy.ts";
import type { Project } from "../../src/define/project.ts";
import { withModel } from "../../src/define/with-model.ts";
import { openExampleHouse, principalOf } from "../examples/house.ts";
import { canaryBatches, organisation, term } from "./canaries.ts";
import { requests } from "./requests.ts";

/** What of an entry matters here. */
interface SentFacts {
  readonly boundary: string;
  readonly sends: number;
  readonly privacy?: { readonly policy: string; readonly replaced: ReplacedCounts };
}

/** An example whose models stand behind a provider that keeps what it is handed. */
export interface LeakageHouse {
  readonly project: Project;
  /** Words of the example's own prompts, which are sent as they are. */
  readonly marker: string;
  /** What was handed to the provider, and by which capability. */
  readonly sent: readonly { readonly capability: string; readonly request: ProviderRequest }[];
  readonly faults: readonly unknown[];
  /** Whatever an error, a debugger or a dump could reach. */
  readonly reachable: readonly unknown[];
  readonly askAll: () => Promise<void>;
  /** Every row of the program's own tables, as text. */
  readonly everyRow: () => Promise<string>;
  /** The facts of the entry of each decision. */
  readonly facts: () => Promise<readonly SentFacts[]>;
  readonly close: () => Promise<void>;
}

/** Opens an example over a real database, with its own script behind the capturing provider, so that requests go on as they do. */
export async function openLeakageHouse(example: string): Promise<LeakageHouse> {
  const asked = requests[example];
  if (asked === undefined) throw new Error(`no requests for ${example}`);
  const { deciding, hands, by, install } = asked;
  // By an id of which the price is known: what a budget cannot hold is not asked.
  const project = withModel(asked.project, { provider: "openai", id: "gpt-4.1-2025-04-14", effort: "none", temperature: 0 });
  const sent: { capability: string; request: ProviderRequest }[] = [];
  let capability = "";
  const providers = deciding.providers.map((script) => {
    if ("open" in script) throw new Error("the examples of the suite have scripts");
    return capturing(script, (request) => void sent.push({ capability, request }));
  });
  const known = [term, organisation].map((value) => ({ value, class: "term" as const }));
  const privacy = { policy: null, exemptions: null, publicKeys: [], dictionaries: new Map([[by.tenant, known]]) };
  const house = await openExampleHouse({
    ...{ project, hands, privacy },
    deciding: { ...deciding, providers },
    install,
  });
  const principal = principalOf(by);
  const faults: unknown[] = [];
  const askOne = async (name: string, text: string): Promise<void> => {
    capability = name;
    const asking =
      name === "intake"
        ? house.decider.ask({ principal, text })
        : house.decider.decide({ principal, capability, inputs: { text } });
    await asking.catch((thrown: unknown) => void faults.push(thrown));
  };
  return {
    ...{ project, marker: asked.marker, sent, faults },
    reachable: [house.decider, house.desk, deciding, providers],
    askAll: async () => {
      for (const [name, texts] of Object.entries(asked.texts))
        for (const text of texts) for (const batch of canaryBatches) await askOne(name, text.replace("*", batch));
    },
    everyRow: async () => {
      const { rows } = await house.admin.query<{ name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'countersign' and table_type = 'BASE TABLE'",
      );
      const texts: string[] = [];
      for (const { name } of rows)
        texts.push(JSON.stringify((await house.admin.query(`select t::text from countersign."${name}" t`)).rows));
      return texts.join("\n");
    },
    facts: async () => {
      const { rows } = await house.admin.query<{ body: SentFacts }>(
        "select body::jsonb as body from countersign.entry where kind in ('decided', 'stopped')",
      );
      return rows.map(({ body }) => body);
    },
    close: house.close,
  };
}

function capturing(script: Provider, keep: (request: ProviderRequest) => void): Provider {
  return {
    name: "openai",
    isScripted: false,
    complete: (request, cancel) => {
      keep(request);
      return script.complete(request, cancel);
    },
  };
}
