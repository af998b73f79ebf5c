import { oncePer } from "@/lib/once-per";
import type { Declared } from "@/lib/graph/condition";
import type { Graph, GraphNode } from "@/lib/graph/document";
import { mapsItems } from "@/lib/graph/kind-of";
import { parsePath } from "@/lib/graph/path";
import { isJsonObject, ownMember, type JsonObject } from "@/lib/json";

const declaredOf = oncePer((memory: Graph["memory"]): Declared => ({
  keys: Object.fromEntries(memory.map(({ key, schema }) => [key, schema])),
}));

/** Returns the declared schemas of a graph. */
export const getDeclared = ({ memory }: Pick<Graph, "memory">): Declared => declaredOf(memory);

const memberOf = (schema: JsonObject | undefined, name: string): JsonObject | undefined => {
  const properties = schema && ownMember(schema, "properties");
  const member = isJsonObject(properties) ? ownMember(properties, name) : undefined;

  return isJsonObject(member) ? member : undefined;
};

export const findSchemaAt = ({ keys }: Declared, text: string): JsonObject | undefined => {
  const [key, ...names] = parsePath(text) ?? [];
  if (key === undefined || !Object.hasOwn(keys, key)) return undefined;

  return names.reduce<JsonObject | undefined>(memberOf, keys[key]);
};

/** Returns the schemas that a node's expressions see; `item`: of its map. */
export const getDeclaredFor = (graph: Pick<Graph, "memory" | "nodes">, { id }: Pick<GraphNode, "id">): Declared => {
  const declared = getDeclared(graph);
  const maps = graph.nodes.filter(mapsItems).filter(({ config }) => config.worker_node === id);
  const lists = maps.map(({ config: { items } }) => ("from" in items ? findSchemaAt(declared, items.from) : undefined));
  // Another map may give it other items.
  const item = lists.length === 1 && lists[0] ? ownMember(lists[0], "items") : undefined;

  return isJsonObject(item) ? { keys: declared.keys, item } : declared;
};
