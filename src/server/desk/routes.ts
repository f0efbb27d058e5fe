/**
 * The desk's HTTP side: the JSON API, and two plain pages where people ask and sign. What decides is forwarded over HTTP in the
 * caller's name, under a key that opens the decider alone. Never thinks, never acts, and holds no key beyond the sessions in its memory.
 */
import type { Hono } from "hono";
import type { Desk } from "../../desk.ts";
import type { Identify } from "../identity.ts";
import type { FaultLog } from "../problem.ts";
import { createRoutes } from "../routes.ts";
import { addApi } from "./api.ts";
import { addAskPages } from "./ask-pages.ts";
import { addAssets } from "./assets.ts";
import { addDecisionPages } from "./decision-pages.ts";
import type { Doors } from "./doors.ts";
import { addErrorPages } from "./error-pages.ts";
import { createForward } from "./forward.ts";
import type { DemoPerson } from "./pages/sign-in.ts";
import { addReviewPages } from "./review-pages.ts";
import { createSessions } from "./sessions.ts";
import { addSignIn } from "./sign-in.ts";

/** Builds the desk's app. `demoPeople` is for demo mode alone: whoever opens the page may sign in as one of them. */
export function deskRoutes({
  desk,
  identify,
  deciderUrl,
  demoPeople,
  log,
  now = Date.now,
}: {
  desk: Desk;
  identify: Identify;
  deciderUrl: string;
  demoPeople: readonly DemoPerson[] | null;
  log: FaultLog;
  now?: () => number;
}): Hono {
  const app = createRoutes({ log });
  const forward = createForward(deciderUrl);
  const names = new Map((demoPeople ?? []).map(({ id, name }) => [id, name]));
  const doors: Doors = {
    desk,
    identify,
    forward,
    sessions: createSessions({ now }),
    demoPeople,
    nameOf: (id) => names.get(id) ?? id,
    now,
  };
  addApi(app, { desk, identify, forward });
  addAssets(app);
  addSignIn(app, doors);
  addAskPages(app, doors);
  addReviewPages(app, doors);
  addDecisionPages(app, doors);
  addErrorPages(app, { doors, log });
  return app;
}
