import type { Assert, FirstOwner, Identities, ProviderSignIn } from "../../contract/identity.ts";
import type { Desk } from "../../desk.ts";
import type { FaultLog } from "../problem.ts";
import { createRates, type RateLimits, usualRates } from "../rates.ts";
import { createRoutes, type Routes } from "../routes.ts";
import { addApi } from "./api.ts";
import { addAskPages } from "./ask-pages.ts";
import { addAssets } from "./assets.ts";
import { addDecisionPages } from "./decision-pages.ts";
import type { Doors } from "./doors.ts";
import { addErrorPages } from "./error-pages.ts";
import { addFirstOwner } from "./first-owner.ts";
import { createForward } from "./forward.ts";
import type { DemoPerson } from "./pages/sign-in.ts";
import { addProviderSignIn } from "./provider-sign-in.ts";
import { addReference } from "./reference.ts";
import { addReviewPages } from "./review-pages.ts";
import { createSessions } from "./sessions.ts";
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
  /** How often one account and one address may ask; the usual limits where it is left out. */
  readonly rates?: RateLimits;
  readonly now?: () => number;
}

/** Builds the desk's routes. */
export function deskRoutes(parts: DeskRoutesParts): Routes {
  const { desk, identities, assert, deciderUrl, demoPeople, log, now = Date.now } = parts;
  const rates = createRates(parts.rates ?? usualRates, now);
  const routes = createRoutes({ log, identify: identities.ofCredential, rates });
  const forward = createForward({ deciderUrl, assert });
  const names = new Map((demoPeople ?? []).map(({ id, name }) => [id, name]));
  const doors: Doors = {
    desk,
    identities,
    rates,
    forward,
    sessions: createSessions({ now }),
    demoPeople,
    providerName: parts.providerSignIn?.providerName ?? null,
    nameOf: (id) => names.get(id) ?? id,
    now,
  };
  addApi(routes, { desk, forward });
  addReference(routes);
  addAssets(routes);
  addSignIn(routes, doors);
  addProviderSignIn(routes, doors, parts.providerSignIn ?? null);
  addFirstOwner(routes, { makeFirstOwner: parts.firstOwner ?? (async () => undefined), rates });
  addAskPages(routes, doors);
  addReviewPages(routes, doors);
  addDecisionPages(routes, doors);
  addErrorPages(routes, { doors, log });
  return routes;
}
