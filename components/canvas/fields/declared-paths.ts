/** The paths that a builder may want to name: declared keys, and what their schemas say is directly below. */
import type { Graph } from "@/lib/graph/document";
import { isJsonObject, type Json } from "@/lib/json";

/** The declared key that holds a list, if there is one. */
export const findFirstList = (graph: Graph): string | undefined => graph.memory.find(({ schema }) => schema["type"] === "array")?.key;

export const listDeclaredPaths = (graph: Graph): string[] =>
  graph.memory.flatMap(({ key, schema }) => {
    const properties: Json | undefined = schema["properties"];

    return [key, ...(isJsonObject(properties) ? Object.keys(properties).map((name) => `${key}.${name}`) : [])];
  });
