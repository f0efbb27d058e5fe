import type { Identity } from "../../contract/identity.ts";
import type { SessionView } from "../../contract/session.ts";
import { readBody } from "../body.ts";
import { ownVersion } from "../own-version.ts";
import { emptyBody } from "../requests.ts";
import type { Caller, Routes } from "../routes.ts";
import { type Doors, endSession } from "./doors.ts";

/** Adds who is signed in, what the console shows them, and signing out. */
export function addSessionApi(routes: Routes, doors: Doors): void {
  routes.bearer({ method: "GET", path: "/v1/session", who: "account", scope: "read" }, async (context, caller) =>
    context.json(viewOf(caller, doors, await doors.desk.stopped({ principal: caller.principal }))),
  );
  routes.bearer({ method: "POST", path: "/v1/session/end", who: "account", scope: "read" }, async (context, caller) => {
    await readBody(context, emptyBody);
    if (caller.session !== null) endSession(context, doors);
    return context.json({ ended: caller.session !== null });
  });
}

function viewOf(caller: Caller, doors: Doors, stopped: SessionView["stopped"]): SessionView {
  const { principal, name, scopes, session } = caller;
  const { tenant, id, roles } = principal;
  return {
    ...{ tenant, id, name, roles, scopes },
    token: session?.token ?? null,
    expiresAt: session?.expiresAt ?? null,
    ...doors.desk.about,
    isDemo: doors.demoPeople !== null,
    stopped,
    version: ownVersion,
    people: peopleFor(caller, doors),
    may: { ask: scopes.includes("ask"), ...doors.desk.may({ principal }) },
  };
}

/** Those of demo mode and the caller; of everybody else a desk knows the id alone. */
function peopleFor({ principal, name }: Identity, { demoPeople }: Doors): SessionView["people"] {
  const others = (demoPeople ?? []).filter(({ id }) => id !== principal.id).map((one) => ({ id: one.id, name: one.name }));
  return [{ id: principal.id, name }, ...others];
}
