import { openApiDocument } from "../openapi/openapi.ts";
import { ownVersion } from "../own-version.ts";
import type { Routes } from "../routes.ts";
import { sendPage } from "./doors.ts";
import { layout } from "./pages/layout.ts";
import { referencePage } from "./pages/reference.ts";

const frame = { page: "notice", isDemo: false } as const;

/** Adds the description of the API, as an OpenAPI document and as a page. Both hold nothing of an installation, so they are open. */
export function addReference(routes: Routes): void {
  const document = openApiDocument({ version: ownVersion });
  routes.open({ method: "GET", path: "/v1/openapi.json" }, (context) => context.json(document));
  const page = layout({ ...frame, title: "HTTP API" }, referencePage({ document, version: ownVersion }));
  routes.open({ method: "GET", path: "/reference" }, (context) => sendPage(context, page));
}
