import { expect, test } from "vitest";
import { applyEdit } from "@/lib/graph/edit";
import { mergeGraphs } from "@/lib/graph/merge";
import { diffGraphs } from "@/lib/graph/diff";
import { agent, drawn, router } from "@/lib/graph/testing/graph-builders";
import { describeDifferences, describeField, describeFirstSaver, getSubject, describeChangesOf } from "./labels";

const BASE = drawn([agent("ask", [], ["plan"], "writer", { title: "Ask them" }), router("split")], ["ask>split"]);
const without = applyEdit(BASE, { op: "remove_node", node: "split", rejoin: false });

test("names who saved, including another tab", () => {
  expect(describeFirstSaver(["Ada", null])).toBe("Ada and you in another tab");
  expect(describeFirstSaver([null])).toBe("You in another tab");
  expect(describeChangesOf(["Ada", "Bo"])).toBe("Ada and Bo's changes");
  expect(describeChangesOf([null])).toBe("your changes from another tab");
  expect(describeChangesOf([])).toBe("changes saved elsewhere");
});

test("names a conflict by its subject, also when one side removed it", () => {
  const joined = applyEdit(BASE, { op: "settings", settings: { start_node: "split" } });
  const [gone] = mergeGraphs(BASE, without, joined).conflicts;
  expect([getSubject(gone!, [without, joined]), describeField(gone!)]).toEqual(["Router split", "removed, but still used"]);
  const titled = (title: string) => ({ ...BASE, nodes: BASE.nodes.map((node) => (node.id === "ask" ? { ...node, title } : node)) });
  const [title] = mergeGraphs(BASE, titled("Mine"), titled("Theirs")).conflicts;
  expect([getSubject(title!, [titled("Mine")]), describeField(title!)]).toEqual(["Agent Mine", "title"]);
});

test("counts differences", () => {
  expect(describeDifferences(diffGraphs(BASE, without))).toBe("1 node removed, 1 edge removed, 1 setting changed");
  expect(describeDifferences(diffGraphs(BASE, applyEdit(BASE, { op: "move_nodes", positions: { ask: { x: 9, y: 9 } } })))).toBe(
    "only node positions",
  );
});
