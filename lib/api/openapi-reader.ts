import { z } from "zod";
import type { Json, JsonObject } from "@/lib/json";

const jsonObjectSchema = z.record(z.string(), z.json());
const contentSchema = z.record(z.string(), z.object({ schema: jsonObjectSchema }));
const parameterSchema = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean(),
  description: z.string().default(""),
  schema: jsonObjectSchema,
});
const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(parameterSchema),
  requestBody: z.object({ content: contentSchema }).optional(),
  responses: z.record(z.string(), z.object({ content: contentSchema.optional() })),
});
const documentSchema = z.object({
  info: z.object({ description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({
    schemas: z.record(z.string(), jsonObjectSchema),
    responses: z.object({
      Problem: z.object({ "x-codes": z.record(z.string(), z.string()) }),
    }),
  }),
});

export type ApiParameter = z.infer<typeof parameterSchema>;

export type ApiOperation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly about: string;
  readonly parameters: readonly ApiParameter[];
  readonly body: JsonObject | null;
  readonly takesFile: boolean;
  readonly answer: { readonly status: string; readonly media: string; readonly schema: JsonObject };
};

export type ApiDocument = {
  readonly about: string;
  readonly operations: readonly ApiOperation[];
  readonly schemas: Readonly<Record<string, JsonObject>>;
  readonly errors: Readonly<Record<string, string>>;
};

export const readOpenApi = (document: unknown): ApiDocument => {
  const { info, servers, paths, components } = documentSchema.parse(document);
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): ApiOperation => {
      const [status = "", response] = Object.entries(operation.responses)[0] ?? [];
      const [media = "", content] = Object.entries(response?.content ?? {})[0] ?? [];

      return {
        id: operation.operationId,
        method: verb.toUpperCase(),
        path: `${servers[0]?.url ?? ""}${path}`,
        tag: operation.tags[0] ?? "",
        summary: operation.summary,
        about: operation.description,
        parameters: operation.parameters,
        body: operation.requestBody?.content["application/json"]?.schema ?? null,
        takesFile: operation.requestBody?.content["application/octet-stream"] !== undefined,
        answer: { status, media, schema: content?.schema ?? {} },
      };
    }),
  );

  return { about: info.description, operations, schemas: components.schemas, errors: components.responses.Problem["x-codes"] };
};

export const getReferenceName = ({ $ref }: JsonObject): string | null =>
  typeof $ref === "string" ? $ref.slice("#/components/schemas/".length) : null;

export const getProperties = ({ properties, required }: JsonObject) => {
  const names = z.array(z.string()).catch([]).parse(required);

  return Object.entries(z.record(z.string(), jsonObjectSchema).catch({}).parse(properties)).map(([name, schema]) => ({
    name,
    schema,
    isRequired: names.includes(name),
    about: typeof schema["description"] === "string" ? schema["description"] : "",
  }));
};

export const getChoices = ({ anyOf = [], oneOf = [] }: JsonObject): readonly JsonObject[] =>
  [anyOf, oneOf].flatMap((each) => z.array(jsonObjectSchema).parse(each));

export const getLiterals = (schema: JsonObject): readonly Json[] | null =>
  "const" in schema ? [schema["const"] ?? null] : "enum" in schema ? z.array(z.json()).parse(schema["enum"]) : null;

export const getTypes = ({ type }: JsonObject): readonly string[] =>
  z
    .union([z.string().transform((one) => [one]), z.array(z.string())])
    .catch([])
    .parse(type);

export const getPart = (schema: JsonObject, name: "items" | "additionalProperties"): JsonObject =>
  jsonObjectSchema.catch({}).parse(schema[name]);
