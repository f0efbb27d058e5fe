import type { Context } from "hono";
import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import { identifyAtRate, type Routes } from "../routes.ts";
import { isConsoleAddress } from "./console-paths.ts";
import { addForm, beginSession, checkToken, type Doors, endSession, sendPage } from "./doors.ts";
import { readForm } from "./form.ts";
import { layout } from "./pages/layout.ts";
import { signInPage } from "./pages/sign-in.ts";

const signInForm = z.strictObject({
  key: z.string().max(512).optional(),
  person: z.string().max(64).optional(),
  next: z.string().max(2_000).optional(),
});
const signOutForm = z.strictObject({ token: z.string().max(100) });

/** Adds signing in and out. A key is read from a form, never from an address. */
export function addSignIn(routes: Routes, doors: Doors): void {
  routes.open({ method: "GET", path: "/sign-in" }, (context) =>
    showSignIn(context, doors, { next: safeNext(context.req.query("next")), isRefused: false }),
  );
  routes.open({ method: "POST", path: "/sign-in" }, async (context) => {
    const { key: typed, person, next } = await readForm(context, signInForm);
    if (person !== undefined) refuseOtherHosts(context);
    const key = person === undefined ? ownKey(typed) : keyOfPerson(doors, person);
    const identity =
      key === undefined
        ? undefined
        : await identifyAtRate({ context, identify: doors.identities.ofCredential, rates: doors.rates, credential: key });
    if (identity === undefined) return showSignIn(context, doors, { next: safeNext(next), isRefused: true });
    beginSession(context, doors, identity);
    return context.redirect(safeNext(next), 303);
  });
  addForm(routes, { doors, path: "/sign-out", who: "account", scope: "read" }, async (context, session) => {
    const { token } = await readForm(context, signOutForm);
    checkToken(session, token);
    endSession(context, doors);
    return context.redirect("/sign-in", 303);
  });
}

/** A token of a provider is for the API and short-lived; a session that outlives it begins at the provider alone. No key holds a point. */
function ownKey(typed: string | undefined): string | undefined {
  return typed?.includes(".") === true ? undefined : typed?.trim();
}

/** Signing in without a key is for this machine: a foreign name that was made to point here must not carry anybody in. */
function refuseOtherHosts(context: Context): void {
  const host = URL.parse(`http://${context.req.header("host") ?? ""}`)?.hostname;
  if (host === "127.0.0.1" || host === "localhost" || host === "[::1]") return;
  throw new CountersignError("forbidden", "demo sign-in works at 127.0.0.1 and localhost alone; open the desk there");
}

function keyOfPerson({ demoPeople }: Doors, id: string): string | undefined {
  if (demoPeople === null)
    throw new CountersignError("forbidden", "signing in as a person without a key exists in demo mode alone");
  return demoPeople.find((one) => one.id === id)?.key;
}

async function showSignIn(
  context: Context,
  { demoPeople, providerName }: Doors,
  { next, isRefused }: { next: string; isRefused: boolean },
): Promise<Response> {
  const people = demoPeople?.map(({ id, name, roles }) => ({ id, name, roles })) ?? null;
  const frame = { title: "Sign in", page: "sign-in", isDemo: demoPeople !== null } as const;
  return sendPage(context, layout(frame, signInPage({ people, providerName, next, isRefused })), isRefused ? 401 : 200);
}

/** Where to go after signing in. Only an address of the console; `//elsewhere` and `/\elsewhere` are other hosts to a browser. */
export function safeNext(next: string | undefined): string {
  return next !== undefined && isConsoleAddress(next) ? next : "/";
}
