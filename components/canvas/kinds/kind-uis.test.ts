import { describe, expect, test } from "vitest";
import { nodeSchema } from "@/lib/graph/document";
import { createEmptyGraph } from "@/lib/graph/new-graph";
import { KINDS, createNode, summarize } from "./kind-uis";

const EMPTY = { agents: [], tools: [], versions: [] };

describe.each(KINDS)("a new %s", (kind) => {
  const node = createNode(kind, createEmptyGraph("New"), EMPTY, { x: 0, y: 0 });

  test("is a node that the schema accepts, even where there is nothing to choose from, and survives being saved", () => {
    expect(nodeSchema.parse(JSON.parse(JSON.stringify(node)))).toEqual(node);
  });

  test("says in one line what it does", () => {
    expect(summarize(kind, node, EMPTY)).toMatch(/^\S.*\S$/);
  });
});
