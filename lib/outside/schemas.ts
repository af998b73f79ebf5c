import type { Graph, GraphNode } from "@/lib/graph/document";
import { parsePath, type Path } from "@/lib/graph/path";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";

type Input = NonNullable<GraphNode["action"]>["inputs"][number];

/** References resolve only within their own document. */
const hasReference = (schema: Json): boolean => {
  if (Array.isArray(schema)) return schema.some((item: Json) => hasReference(item));
  if (!isJsonObject(schema)) return false;

  return Object.hasOwn(schema, "$ref") || Object.hasOwn(schema, "$dynamicRef") || Object.values(schema).some(hasReference);
};

/** `{}` if unspecified. */
const schemaAt = (schema: Json | undefined, path: Path): JsonObject => {
  if (!isJsonObject(schema)) return {};
  const [segment, ...rest] = path;
  if (segment === undefined) return schema;
  const named = ownMember(schema["properties"], segment);
  const others = /^[0-9]+$/u.test(segment) ? schema["items"] : schema["additionalProperties"];

  return schemaAt(named ?? others, rest);
};

const schemaOf = (graph: Graph, { path, description }: Input): JsonObject => {
  const [key = "", ...rest] = parsePath(path) ?? [];
  const declared = graph.memory.find((candidate) => candidate.key === key);
  const found = declared && !hasReference(declared.schema) ? schemaAt(declared.schema, rest) : {};
  const words = description || (rest.length === 0 ? (declared?.description ?? "") : "");

  return words === "" ? found : { ...found, description: words };
};

export const buildActionSchema = (graph: Graph, node: GraphNode): JsonObject => {
  const inputs = node.action?.inputs ?? [];

  return {
    type: "object",
    properties: Object.fromEntries(inputs.map((input) => [input.name, schemaOf(graph, input)])),
    required: inputs.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
};

export const buildActionSchemas = (graph: Graph, actions: readonly string[]): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(graph.nodes.flatMap((node) => (actions.includes(node.id) ? [[node.id, buildActionSchema(graph, node)]] : [])));
