import { expect, test } from "vitest";
import { computeBackoffMs } from "@/lib/engine/backoff";
import { buildToolArguments } from "@/lib/engine/tool-arguments";
import { nodeSchema } from "@/lib/graph/document";

const tool = (args: Record<string, unknown>) => {
  const node = nodeSchema.parse({ id: "t", kind: "tool", config: { server: "s", tool: "t", arguments: args } });
  if (node.kind !== "tool") throw new Error("no tool node");

  return node;
};

test("arguments are constants, declared reads and item parts; absent ones are omitted", () => {
  const node = tool({
    fixed: { value: [1] },
    read: { from: "a.b" },
    gone: { from: "a.c" },
    whole: { item: "" },
    part: { item: "name.first" },
    lost: { item: "name.last" },
  });

  expect(buildToolArguments(node, { a: { b: 2 } }, { name: { first: "Ann" } })).toEqual({
    fixed: [1],
    read: 2,
    whole: { name: { first: "Ann" } },
    part: "Ann",
  });
  expect(buildToolArguments(node, { a: { b: 2 } })).toEqual({ fixed: [1], read: 2 });
});

test("neither memory nor item provide inherited members as arguments", () => {
  expect(buildToolArguments(tool({ x: { item: "length" }, y: { from: "a.length" } }), { a: "abc" }, "abc")).toEqual({});
});

test("backoff grows as configured, and jitter shortens only the exponential kind", () => {
  const waits = (backoff: "fixed" | "linear" | "exponential", jitter: number) =>
    [1, 2, 3].map((failures) => computeBackoffMs({ backoff, backoff_ms: 100 }, failures, jitter));

  expect(waits("fixed", 0.5)).toEqual([100, 100, 100]);
  expect(waits("linear", 0.5)).toEqual([100, 200, 300]);
  expect(waits("exponential", 0.5)).toEqual([50, 100, 200]);
});
