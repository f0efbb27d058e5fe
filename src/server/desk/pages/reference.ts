import type { JsonObject } from "../../../contract/json.ts";
import type { Operation } from "../../openapi/operation.ts";
import { operations } from "../../openapi/operations.ts";
import { type Html, html } from "./html.ts";

/** The HTTP API for people: each route with what it takes and answers, and the named schemas below. */
export function referencePage({ document, version }: { document: JsonObject; version: string }): Html {
  const groups = [...new Set(operations.map(({ group }) => group))];
  const { schemas } = document["components"] as unknown as { schemas: Readonly<Record<string, JsonObject>> }; // as `openApiDocument` makes it
  return html`<article class="reference">
<h1>HTTP API ${version}</h1>
<p>Send <code>Authorization: Bearer &lt;API key&gt;</code> with every request. Bodies are JSON; errors are problem details (RFC 9457) with a code of a closed list.
The same as a document: <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
<nav aria-label="Groups"><ul>${groups.map((group) => html`<li><a href="#${anchorOf(group)}">${group}</a></li>`)}<li><a href="#schemas">Schemas</a></li></ul></nav>
${groups.map((group) => groupSection(group, document))}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(schemas).map(([name, schema]) => html`<section id="schema-${name}"><h3>${name}</h3><p>${String(schema["description"] ?? "")}</p>${folded("As JSON Schema", schema)}</section>`)}
</section>
</article>`;
}

function groupSection(group: Operation["group"], document: JsonObject): Html {
  const own = operations.filter((one) => one.group === group);
  return html`<section id="${anchorOf(group)}"><h2>${group}</h2>${own.map((one) => operationSection(one, document))}</section>`;
}

function operationSection({ method, path, summary, status = 200 }: Operation, document: JsonObject): Html {
  const { parameters, requestBody, responses } = describedAt(document, { method, path });
  const answer = responses[status];
  return html`<section class="operation"><h3><code>${method} ${path}</code></h3>
<p>${summary}.</p>
${parameters.length === 0 ? "" : html`<ul>${parameters.map((one) => html`<li><code>${String(one["name"])}</code> <span class="meta">in ${String(one["in"])}</span> ${String(one["description"] ?? "")}</li>`)}</ul>`}
${requestBody === undefined ? "" : folded("Body", requestBody)}
<p class="meta">Answers ${status}: ${replyName(answer)}</p>
</section>`;
}

interface Described {
  readonly parameters: readonly JsonObject[];
  readonly requestBody?: JsonObject;
  readonly responses: Readonly<Record<number, unknown>>;
}

function describedAt(document: JsonObject, { method, path }: Pick<Operation, "method" | "path">): Described {
  const paths = document["paths"] as unknown as Readonly<Record<string, Readonly<Record<string, Described>>>>; // as `openApiDocument` makes it
  const found = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
  return found ?? { parameters: [], responses: {} };
}

/** The name of the schema that an answer refers to, led to where it stands. */
function replyName(answer: unknown): Html {
  const text = JSON.stringify(answer ?? {});
  const name = /#\/components\/schemas\/(\w+)/.exec(text)?.[1];
  if (name === undefined) return html`a small object`;
  const link = html`<a href="#schema-${name}">${name}</a>`;
  return text.includes('"items"') ? html`a list of ${link}` : link;
}

function folded(words: string, value: unknown): Html {
  return html`<details><summary>${words}</summary><pre><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

function anchorOf(group: string): string {
  return group.toLowerCase();
}
