import { z } from "zod";
import type { JsonObject } from "../../contract/json.ts";
import { limits } from "../../contract/limits.ts";
import { components } from "./components.ts";
import type { Operation, OwnHeader } from "./operation.ts";
import { operations } from "./operations.ts";
import { problemReply } from "./problem-reply.ts";

const headers: Readonly<Record<OwnHeader, JsonObject>> = {
  "Idempotency-Key": {
    description: "The same key with the same request is done once (draft-ietf-httpapi-idempotency-key-header)",
    schema: { type: "string", maxLength: limits.idempotencyKeyLength, pattern: "^[!-~]+$" },
  },
  Prefer: {
    description: "`wait=N` waits up to N seconds, at most 30, for what comes of it (RFC 7240)",
    schema: { type: "string" },
  },
  "Countersign-Session": {
    description: "The client's own id of the session of which the request is a turn",
    schema: { type: "string", maxLength: 100 },
  },
  "Last-Event-ID": {
    description: "The id of the last event that was heard: what came after it is told first",
    schema: { type: "string", maxLength: 100 },
  },
  "Countersign-Reference-Time": {
    description:
      "The instant that the request is about, in UTC; taken in a trial alone, and refused with `bad_request` elsewhere",
    schema: { type: "string", format: "date-time" },
  },
};

/**
 * The HTTP API as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0), made from the schemas by which requests are read and
 * by which answers are tested.
 */
export function openApiDocument({ version }: { version: string }): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version,
      summary: "Decisions in which a model may propose and something else must countersign",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }, { session: [], sessionToken: [] }],
    tags: [...new Set(operations.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key of an account" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-countersign",
          description: "A browser that has signed in, where no `Authorization` came",
        },
        sessionToken: {
          type: "apiKey",
          in: "header",
          name: "countersign-token",
          description: "The session's token, with all but GET and HEAD",
        },
      },
      schemas: namedSchemas(),
    },
  };
}

function describe(operation: Operation): JsonObject {
  const { method, path, group, summary, body, status = 200, type = "application/json" } = operation;
  const shown = { description: "The answer", content: { [type]: { schema: replyOf(operation) } } };
  const problem = { description: "An error", content: { "application/problem+json": { schema: refTo(problemReply) } } };
  return {
    operationId: operationId({ method, path }),
    tags: [group],
    summary,
    parameters: parametersOf(operation),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: schemaOf(body, "input") } } } }),
    responses: { [status]: shown, default: problem },
  };
}

/** Such as `post_reviews_id_approve`: stable, and a name in most languages. */
function operationId({ method, path }: Pick<Operation, "method" | "path">): string {
  return [method.toLowerCase(), ...path.split("/").slice(2)].join("_").replaceAll(":", "");
}

function parametersOf({ path, query, headers: own = [] }: Operation): JsonObject[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const asked = query === undefined ? [] : Object.entries(query.shape);
  const inQuery = asked.map(([name, schema]) => ({ name, in: "query", schema: schemaOf(schema as z.ZodType, "input") })); // a shape's members are schemas
  return [...inPath, ...inQuery, ...own.map((name) => ({ name, in: "header", ...headers[name] }))];
}

function replyOf({ reply, isList, isPage }: Operation): JsonObject {
  const one = refTo(reply);
  if (isPage !== true && isList !== true) return one;
  const next = { type: ["string", "null"], description: "The `cursor` of the next page; null where this is the last" };
  const properties = { items: { type: "array", items: one }, ...(isPage === true ? { next } : {}) };
  return { type: "object", properties, required: Object.keys(properties) };
}

function refTo(schema: z.ZodType): JsonObject {
  const named = components.get(schema);
  return named === undefined ? schemaOf(schema, "output") : { $ref: place(named.id) };
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): JsonObject {
  return plain(z.toJSONSchema(schema, { io, unrepresentable: "any" }));
}

function namedSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(components, { uri: place, unrepresentable: "any" });
  const named = Object.entries(schemas).filter(([name]) => name !== "__shared");
  return Object.fromEntries(named.map(([name, schema]) => [name, plain(schema)]));
}

function place(name: string): string {
  return `#/components/schemas/${name}`;
}

/** Members that a schema of its own has, and a part of this document has not. */
const ownMembers = ["$schema", "$id", "$defs"];

/** The schema as a part of this document. What only refers to itself, which any JSON value does, is any value. */
function plain(schema: object): JsonObject {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => {
      if (ownMembers.includes(key)) return undefined;
      return isForeign(value) ? { description: "Any JSON value" } : value;
    }),
  );
}

function isForeign(value: unknown): boolean {
  return typeof value === "object" && value !== null && "$ref" in value && /\$defs|__shared/.test(String(value.$ref));
}
