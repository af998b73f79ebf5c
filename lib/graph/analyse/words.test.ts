import { describe, expect, test } from "vitest";
import type { Reachable } from "./blast";
import type { Sink } from "./sinks";
import { sinkText, sourceText, worstFirst } from "./words";

const nameOf = (id: string) => id.toUpperCase();
const call = (effect: "read" | "write" | "irreversible"): Sink => ({ kind: "call", node: "act", tool: "desk__do", effect, outward: true });
const reach = (sink: Sink, gated: boolean): Reachable => ({ sink, gated, gates: [] });

describe("worst first", () => {
  test("puts everything with nobody asked before everything that waits, and what cannot be undone before what can", () => {
    const key: Sink = { kind: "key", node: "act", key: "plan" };
    const route: Sink = { kind: "route", node: "act" };
    const mixed = [
      reach(call("irreversible"), true),
      reach(route, false),
      reach(call("write"), true),
      reach(key, false),
      reach(call("write"), false),
    ];

    expect(worstFirst(mixed).map(({ sink, gated }) => [sink.kind === "call" ? sink.effect : sink.kind, gated])).toEqual([
      ["write", false],
      ["key", false],
      ["route", false],
      ["irreversible", true],
      ["write", true],
    ]);
  });

  test("keeps the order of equals", () => {
    const equals = ["a", "b", "c"].map((node) => reach({ kind: "route", node }, false));

    expect(worstFirst(equals)).toEqual(equals);
  });
});

test("sinks and sources are sentences that call nodes by their titles", () => {
  expect([call("irreversible"), call("write"), call("read")].map((sink) => sinkText(sink, nameOf))).toEqual([
    "“ACT” calls desk__do, which does something that cannot be undone",
    "“ACT” calls desk__do, which changes data outside the run",
    "“ACT” calls desk__do, which tells the outside what it is told",
  ]);
  expect(sinkText({ kind: "route", node: "act", edge: "on" }, nameOf)).toBe("“ACT” decides about the way on");
  expect(sourceText({ type: "tools", node: "act", tools: [] }, nameOf)).toBe("what the tools of ACT answer");
});
