import { expect, test } from "vitest";
import { authorityOf } from "@/lib/architect/authority";
import { authorityDiff } from "@/lib/architect/authority-diff";
import { needsSecondPerson } from "@/lib/architect/second-person";
import { desk, DESK_CONTEXT, withNode } from "@/lib/architect/testing/desk";
import { graphSchema, type Graph } from "@/lib/graph/document";
import { publishedGraphOf } from "@/lib/graph/publish";

const authority = (graph: Graph) => authorityOf(publishedGraphOf(graph, DESK_CONTEXT));
const needs = (before: Graph | null, after: Graph, byArchitect: boolean): boolean => {
  const old = before && authority(before);
  const now = authority(after);

  return needsSecondPerson(old, now, authorityDiff(old, now), byArchitect);
};
/** Thinks, and does nothing outside. */
const quiet = desk((graph) => ({ ...graph, nodes: graph.nodes.filter(({ id }) => id === "write"), edges: [], end_nodes: ["write"] }));

test("a person's first version is theirs, an architect's is not as soon as it acts outside", () => {
  expect([needs(null, desk(), false), needs(null, quiet, true), needs(null, desk(), true)]).toEqual([false, false, true]);
});

test("an architect's first version that outside agents drive is no one person's either", () => {
  expect(needs(null, graphSchema.parse({ ...quiet, external: { read_keys: ["draft"] } }), true)).toBe(true);
});

test("over another version it is only asked whether it is wider, whoever drew it", () => {
  const wider = desk(withNode("write", { read_keys: ["request", "done"] }));
  for (const byArchitect of [true, false]) {
    expect([needs(desk(), desk(), byArchitect), needs(wider, desk(), byArchitect), needs(desk(), wider, byArchitect)]).toEqual([
      false,
      false,
      true,
    ]);
  }
});
