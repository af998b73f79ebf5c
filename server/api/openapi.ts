/** OpenAPI 3.1 document, a pure function of the contract. */
import { z } from "zod";
import { describe } from "@/lib/api/contract";
import { problemSchema } from "@/lib/api/resources";
import { API_PATH, ROUTES, type Operation } from "@/lib/api/routes";
import { isJsonObject, type JsonObject } from "@/lib/json";

const toSchema = (schema: z.ZodType, io: "input" | "output"): JsonObject => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });

  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(rest)));
};

const PROBLEM: JsonObject = {
  description: "Problem details (RFC 9457).",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

const MEDIA = { json: "application/json", events: "text/event-stream", file: "application/json" } as const;

const header = (name: string, description: string): JsonObject => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", maxLength: 255 },
});

const parametersOf = (path: string, query: z.ZodObject | undefined, hasBody: boolean): JsonObject[] => {
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", format: "uuid" },
  }));
  const properties = query ? toSchema(query, "input")["properties"] : {};
  const inQuery = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
  }));

  return [...inPath, ...inQuery, ...(hasBody ? [header("Idempotency-Key", "A repeat within 24 hours has the first one's effect.")] : [])];
};

const operationOf = (operation: Operation, path: string): JsonObject => {
  const { summary, scope, query, body, status = 200, type = "json", response } = describe(operation);

  return {
    operationId: operation,
    summary,
    description: `Scope: \`${scope}\`.`,
    tags: [path.split("/")[1] ?? ""],
    parameters: parametersOf(path, query, body !== undefined),
    ...(body ? { requestBody: { required: true, content: { "application/json": { schema: toSchema(body, "input") } } } } : {}),
    responses: {
      [String(status)]: { description: summary, content: { [MEDIA[type]]: { schema: toSchema(response, "output") } } },
      default: PROBLEM,
    },
  };
};

export const buildOpenApi = (): JsonObject => {
  const paths: Record<string, JsonObject> = {};
  for (const [operation, route] of Object.entries(ROUTES) as readonly [Operation, string][]) {
    const [method = "", path = ""] = route.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, path) };
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
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "Token of a service account or a person." } },
      schemas: { Problem: toSchema(problemSchema, "output") },
    },
  };
};
