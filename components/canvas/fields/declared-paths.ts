import type { Graph } from "@/lib/graph/document";
import { isJsonObject, type Json } from "@/lib/json";

export const getFirstPath = (graph: Graph): string => listDeclaredPaths(graph)[0] ?? "value";

/** First declared list. */
export const findFirstList = (graph: Graph): string | undefined => graph.memory.find(({ schema }) => schema["type"] === "array")?.key;

export const listDeclaredPaths = (graph: Graph): string[] =>
  graph.memory.flatMap(({ key, schema }) => {
    const properties: Json | undefined = schema["properties"];

    return [key, ...(isJsonObject(properties) ? Object.keys(properties).map((name) => `${key}.${name}`) : [])];
  });
