import { expect, test } from "vitest";
import { agent, CONTEXT, drawn, gate, router, tool } from "@/lib/graph/testing/graph-builders";
import { findRemovalEffects, joinsOthers } from "./removal";

const graph = drawn(
  [
    tool("look", "find", [], ["page"]),
    agent("think", ["page"], ["plan"]),
    gate("ask", { for_node: "act" }),
    tool("act", "update", ["plan"], [], { effect: "write", title: "Write it" }),
  ],
  ["look>think", "think>ask", "ask>act"],
);

test("deleting a gate and reconnecting opens the path to the effect that it held", () => {
  expect(findRemovalEffects(graph, CONTEXT, ["ask"], true)).toEqual({
    opened: [
      "“Write it” calls desk__update, which changes data outside the run, and tool results of look can influence it without an approval.",
    ],
    stranded: [],
  });
});

test("deleting a gate with its edges strands the effect", () => {
  expect(findRemovalEffects(graph, CONTEXT, ["ask"], false)).toEqual({
    opened: [],
    stranded: ["“Write it” changes data outside the run, but no path from the start reaches it any more."],
  });
});

test("an effect without untrusted data loses its approval too, and earlier findings are not repeated", () => {
  const fixed = drawn(
    [
      router("start"),
      gate("ask", { for_node: "act" }),
      tool("act", "wipe", [], [], { effect: "irreversible" }),
      tool("other", "update", [], []),
    ],
    ["start>ask", "ask>act", "act>other"],
  );
  expect(findRemovalEffects(fixed, CONTEXT, ["ask"], true).opened).toEqual([
    "“act” makes an irreversible change and needs no approval any more.",
  ]);
  expect(findRemovalEffects(fixed, CONTEXT, ["start"], false).stranded).toEqual([]);
  const loose = drawn([router("start"), router("middle"), router("end"), tool("act", "wipe", [], [])], ["start>middle", "middle>end"]);
  expect(findRemovalEffects(loose, CONTEXT, ["middle"], false)).toEqual({ opened: [], stranded: [] });
});

test("asks only about nodes between others", () => {
  expect(joinsOthers(graph, ["ask"])).toBe(true);
  expect(joinsOthers(graph, ["think", "ask"])).toBe(true);
  expect(joinsOthers(graph, ["look"])).toBe(false);
  expect(joinsOthers(graph, ["act"])).toBe(false);
  expect(
    joinsOthers(
      graph,
      graph.nodes.map(({ id }) => id),
    ),
  ).toBe(false);
});
