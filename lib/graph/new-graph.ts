import { graphSchema, type Graph } from "@/lib/graph/document";

const MAX_ID = 48;

const slug = (name: string): string => {
  const text = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_ID);

  return /^[a-z]/.test(text) ? text : `graph-${text}`.replace(/-$/, "");
};

export const createEmptyGraph = (name: string): Graph =>
  graphSchema.parse({
    format: "countersign/graph/v1",
    id: slug(name),
    name,
    nodes: [],
    edges: [],
    start_node: "start",
    end_nodes: [],
    max_token_budget: 200_000,
  });
