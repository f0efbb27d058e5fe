import { z } from "zod";
import { isCountersignError } from "../contract/errors.ts";
import type { Vault } from "../contract/ports.ts";
import type { Project } from "../define/project.ts";
import { createDesk } from "../desk.ts";
import { openAsserting } from "../identity/assertion.ts";
import { openIdentities } from "../identity/identities.ts";
import { openFirstOwner } from "../identity/invitation.ts";
import { providerSettings } from "../identity/provider-settings.ts";
import { openProviderSignIn } from "../identity/provider-sign-in.ts";
import { openTokens } from "../identity/tokens.ts";
import { deskRoutes } from "../server/desk/routes.ts";
import { listen } from "../server/listen.ts";
import { addMcp } from "../server/mcp/mcp-http.ts";
import { systemClock } from "../store/clock.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { uuidIds } from "../store/ids.ts";
import { openVault } from "../vault/open-vault.ts";
import { declaredNames } from "./declared-names.ts";
import { eventLimits } from "./event-limits.ts";
import { noGauges } from "./gauges.ts";
import { loadEntry } from "./load.ts";
import { logFault } from "./log-fault.ts";
import { openWatched } from "./metrics-place.ts";
import { openPolicies } from "./open-policies.ts";
import { portNumber } from "./port.ts";
import { type Running, runProcess } from "./process-life.ts";
import { mostAtOnce, rateLimits } from "./rates.ts";

const demoPeopleForm = z.array(z.object({ id: z.string(), name: z.string(), roles: z.array(z.string()), key: z.string() }));

/** Runs the desk: the front door where people ask and sign, under the role `desk`. */
export function desk(): Promise<void> {
  return runProcess(open);
}

async function open(): Promise<Running> {
  const settings = await openVault({ side: "desk", env: process.env });
  const folder = settings.secret("COUNTERSIGN_PROJECT");
  const project = await loadEntry<Project>(folder, "project");
  const policy = openPolicies(folder);
  const database = openDatabase({ url: settings.secret("COUNTERSIGN_DESK_URL"), role: "desk" });
  const watched = await openWatched({ process: "desk", names: declaredNames(project), gauges: noGauges }, (name) =>
    settings.secret(name),
  );
  const room = createDesk({
    project,
    database,
    clock: systemClock,
    ids: uuidIds(systemClock),
    environment: settings.secret("COUNTERSIGN_ENVIRONMENT"),
    policy,
    deskKey: settings.secret("COUNTERSIGN_DESK_KEY"),
    payloadKey: Buffer.from(settings.secret("COUNTERSIGN_PAYLOAD_KEY"), "base64"),
    spans: watched.spans,
  });
  const app = deskRoutes({
    desk: room,
    ...doorsOf({ database, settings }),
    firstOwner: openFirstOwner(database),
    rates: rateLimits(process.env),
    mostAtOnce: mostAtOnce(process.env),
    events: eventLimits(process.env),
    assert: openAsserting(settings.secret("COUNTERSIGN_ASSERTION_KEY")),
    deciderUrl: settings.secret("COUNTERSIGN_DECIDER_URL"),
    demoPeople: demoPeople(process.env["COUNTERSIGN_DEMO_PEOPLE"]),
    log: logFault,
  });
  addMcp(app);
  const listening = await listen({ app, host: "127.0.0.1", port: portNumber(settings.secret("PORT")) });
  return {
    url: listening.url,
    close: async () => {
      await listening.close();
      await watched.close();
      await database.close();
    },
  };
}

/** How people are known here: by keys, and where an identity provider is set up by its tokens and by signing in there. */
function doorsOf({ database, settings }: { database: Database; settings: Vault }) {
  const provider = providerSettings(process.env, () => secretIfAny(settings, "COUNTERSIGN_OIDC_CLIENT_SECRET"));
  if (provider === null) return { identities: openIdentities(database) };
  const identities = openIdentities(database, openTokens(provider));
  return { identities, providerSignIn: openProviderSignIn(provider, identities.ofSubject) };
}

function secretIfAny(settings: Vault, name: string): string | null {
  try {
    return settings.secret(name);
  } catch (thrown) {
    if (isCountersignError(thrown, "secret_missing")) return null;
    throw thrown;
  }
}

/** The people that demo mode offers for signing in; none outside demo mode. */
function demoPeople(setting: string | undefined): z.infer<typeof demoPeopleForm> | null {
  return setting === undefined ? null : demoPeopleForm.parse(JSON.parse(setting));
}
