import type { Assert, FirstOwner, Identities, ProviderSignIn } from "../../contract/identity.ts";
import type { Desk } from "../../desk.ts";
import type { FaultLog } from "../problem.ts";
import { createRates, type RateLimits, usualRates } from "../rates.ts";
import { createRoutes, type Routes } from "../routes.ts";
import { addApi } from "./api.ts";
import { addAssets } from "./assets.ts";
import { addConsole } from "./console.ts";
import { type Doors, sessionOf } from "./doors.ts";
import { addErrorPages } from "./error-pages.ts";
import type { EventLimits } from "./event-limits.ts";
import { addEvents } from "./events.ts";
import { addFirstOwner } from "./first-owner.ts";
import { createForward } from "./forward.ts";
import type { DemoPerson } from "./pages/sign-in.ts";
import { addProviderSignIn } from "./provider-sign-in.ts";
import { addReference } from "./reference.ts";
import { addSessionApi } from "./session-api.ts";
import { createSessions, isToken } from "./sessions.ts";
import { addSignIn } from "./sign-in.ts";

/** What the desk's routes are made from. */
export interface DeskRoutesParts {
  readonly desk: Desk;
  readonly identities: Identities;
  /** Says to the decider on whose behalf the desk calls. */
  readonly assert: Assert;
  readonly deciderUrl: string;
  /** Where it is left out, the desk makes no first owner. */
  readonly firstOwner?: FirstOwner;
  /** Signing in at an identity provider, where there is one. */
  readonly providerSignIn?: ProviderSignIn | null;
  /** For demo mode alone: whoever opens the page may sign in as one of them. */
  readonly demoPeople: readonly DemoPerson[] | null;
  readonly log: FaultLog;
  /** Where the built console stands; beside the program where it is left out. */
  readonly consoleFolder?: string;
  /** How often one account and one address may ask; the usual limits where it is left out. */
  readonly rates?: RateLimits;
  /** Requests in work at once; as many as usual where it is left out. */
  readonly mostAtOnce?: number;
  /** How many may listen to changes; the usual limits where it is left out. */
  readonly events?: EventLimits;
  readonly now?: () => number;
}

/** Builds the desk's routes. */
export function deskRoutes(parts: DeskRoutesParts): Routes {
  const { desk, identities, assert, deciderUrl, demoPeople, log, now = Date.now } = parts;
  const rates = createRates(parts.rates ?? usualRates, now);
  const forward = createForward({ deciderUrl, assert });
  const doors: Doors = {
    desk,
    identities,
    rates,
    forward,
    sessions: createSessions({ now }),
    demoPeople,
    providerName: parts.providerSignIn?.providerName ?? null,
    now,
  };
  const routes = createRoutes({
    ...{ log, identify: identities.ofCredential, rates },
    ...(parts.mostAtOnce === undefined ? {} : { mostAtOnce: parts.mostAtOnce }),
    sessions: { find: (context) => sessionOf(context, doors), isToken },
  });
  addApi(routes, { desk, forward });
  addSessionApi(routes, doors);
  addEvents(routes, doors, parts.events);
  addReference(routes);
  addAssets(routes);
  addSignIn(routes, doors);
  addProviderSignIn(routes, doors, parts.providerSignIn ?? null);
  addFirstOwner(routes, { makeFirstOwner: parts.firstOwner ?? (async () => undefined), rates });
  addConsole(routes, doors, parts.consoleFolder);
  addErrorPages(routes, { doors, log });
  return routes;
}
