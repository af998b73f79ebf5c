import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { describe } from "@/lib/api/contract";
import { problemSchema } from "@/lib/api/resources";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { ERRORS } from "@/lib/errors";
import { isJsonObject, type JsonObject } from "@/lib/json";

type Named = Record<string, JsonObject>;

const jsonObjectSchema = z.record(z.string(), z.json());

const toSchema = (schema: z.ZodType, io: "input" | "output", named: Named): JsonObject => {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  // Only `z.json()` has no id.
  const text = JSON.stringify(converted).replaceAll("__schema0", "Json").replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, ...rest } = jsonObjectSchema.parse(JSON.parse(text));
  for (const [name, value] of Object.entries(jsonObjectSchema.parse($defs))) {
    const known = named[name];
    if (known && !isDeepStrictEqual(known, value)) throw new Error(`two schemas are named ${name}`);
    named[name] = jsonObjectSchema.parse(value);
  }

  return rest;
};

/** Others concern sign-in and set-up. */
const API_ERRORS = [
  "bad_request",
  "unauthenticated",
  "authority_mismatch",
  "step_up_required",
  "forbidden",
  "not_found",
  "conflict",
  "refused",
  "invalid_graph",
  "rate_limited",
  "runner_silent",
  "database_unreachable",
  "internal",
] as const;

const PROBLEM: JsonObject = {
  description: "Problem details (RFC 9457). A refusal has its own code: docs/reference/refusals.md.",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
  "x-codes": Object.fromEntries(API_ERRORS.map((code) => [code, ERRORS[code].message])),
};

const MEDIA = { json: "application/json", events: "text/event-stream", file: "application/json" } as const;

const header = (name: string, description: string): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", maxLength: 255 },
});

const IDEMPOTENCY = header("Idempotency-Key", "A repeat within 24 hours has the first one's effect.");
const PREFER = header("Prefer", "`respond-async`: answers 202 once the request is stored, before it is decided.");

const parametersOf = (path: string, operation: Operation, named: Named): JsonObject[] => {
  const { query, body, defers } = describe(operation);
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" },
  }));
  const { properties, required } = query ? toSchema(query, "input", named) : { properties: {}, required: [] };
  const needed = z.array(z.string()).catch([]).parse(required);
  const inQuery = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: needed.includes(name),
    schema,
  }));

  return [...inPath, ...inQuery, ...(body ? [IDEMPOTENCY] : []), ...(defers ? [PREFER] : [])];
};

const FILE: JsonObject = { "application/octet-stream": { schema: {} } };

const operationOf = (operation: Operation, path: string, named: Named): JsonObject => {
  const { summary, scope, body, takesFile, defers, status = 200, type = "json", response } = describe(operation);
  const content = { [MEDIA[type]]: { schema: toSchema(response, "output", named) } };

  return {
    operationId: operation,
    summary,
    description: scope === null ? "Credential: the one-time token of a wait." : `Scope: \`${scope}\`.`,
    tags: [path.split("/")[1] ?? ""],
    parameters: parametersOf(path, operation, named),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: toSchema(body, "input", named) } } } } : {}),
    ...(takesFile ? { requestBody: { required: true, content: FILE } } : {}),
    responses: {
      [String(status)]: { description: summary, content },
      ...(defers ? { 202: { description: "Stored, and decided soon after. Read the run to learn the decision.", content } } : {}),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
};

export const buildOpenApi = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  const named: Named = {};
  toSchema(problemSchema, "output", named);
  for (const [operation, route] of Object.entries(ROUTES) as readonly [Operation, string][]) {
    const [method = "", path = ""] = route.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, path, named) };
  }

  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign",
      version: "1",
      description: "Service accounts start runs and read results. People decide, with personal tokens or in the browser.",
    },
    servers: [{ url: API_PATH }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "Token of a service account, a person or a wait." } },
      responses: { Problem: PROBLEM },
      schemas: Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
};
