import { z } from "zod";
import { CountersignError } from "../../contract/errors.ts";
import type { FirstOwner } from "../../contract/identity.ts";
import { idPattern } from "../../contract/limits.ts";
import type { Rates } from "../rates.ts";
import type { Routes } from "../routes.ts";
import { sendPage } from "./doors.ts";
import { readForm } from "./form.ts";
import { firstOwnerPage, ownerMadePage } from "./pages/first-owner.ts";
import { layout } from "./pages/layout.ts";

const id = z.string().trim().regex(idPattern);
const name = z.string().trim().min(1).max(200);
const ownerForm = z.strictObject({ word: z.string().max(100), tenant: id, tenantName: name, id, name });

const frame = { page: "sign-in", isDemo: false } as const;

/**
 * Adds the page behind the one-time link of an installation without accounts. Looking at it changes nothing, so a preview of the link
 * uses it up as little as a second look; sending its form makes the first owner, once.
 */
export function addFirstOwner(routes: Routes, { makeFirstOwner, rates }: { makeFirstOwner: FirstOwner; rates: Rates }): void {
  routes.open({ method: "GET", path: "/first-owner" }, (context) =>
    sendPage(
      context,
      layout({ ...frame, title: "First owner" }, firstOwnerPage({ word: context.req.query("word")?.slice(0, 100) ?? "" })),
    ),
  );
  routes.open({ method: "POST", path: "/first-owner" }, async (context) => {
    rates.countAddress(context);
    const { word, tenant, tenantName, id: personId, name: personName } = await readForm(context, ownerForm);
    const key = await makeFirstOwner({
      word,
      tenant: { id: tenant, name: tenantName },
      person: { id: personId, name: personName },
    });
    if (key === undefined)
      throw new CountersignError(
        "forbidden",
        "the link is good once, for 15 minutes, while nobody is known here; start the installation again for a new one",
      );
    return sendPage(context, layout({ ...frame, title: "First owner" }, ownerMadePage({ key, name: personName })));
  });
}
