import { describe, expect, test } from "vitest";
import type { Reachable } from "./blast";
import type { Sink } from "./sinks";
import { gateText, hostileSentence, sinkText, sourceText, spendText, toldTexts, worstFirst } from "./labels";

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

test("a gate that something gets in behind is not said to hold", () => {
  expect(gateText({ gated: true, gates: ["ask"] }, nameOf)).toBe("Waits for a person at “ASK”");
  expect(gateText({ gated: true, gates: [] }, nameOf)).toBe("Waits for a person, by rule");
  expect(gateText({ gated: false, gates: [] }, nameOf)).toBe("Nobody is asked");
  expect(gateText({ gated: false, gates: ["ask"] }, nameOf)).toBe("Nobody is asked: it comes in behind “ASK”");
});

describe("the sentence about somebody hostile", () => {
  const nothing = {
    nodes: [],
    paths: [],
    tools: [],
    told: [],
    secrets: [],
    credentials: [],
    hosts: [],
    spend: { models: false, usd: 0, tokens: 0 },
  };

  test("counts what is done before any person sees anything", () => {
    const unseen = { ...nothing, paths: ["a", "b", "c", "d"], tools: ["x", "y"], spend: { models: true, usd: 0.4, tokens: null } };
    expect(hostileSentence({ nodes: ["n"], unseen })).toBe(
      "Before a person sees anything it could: write 4 paths, call 2 tools, reach 0 hosts, spend $0.40.",
    );
  });

  test("names secrets and credentials where there are any, and hosts where somebody has looked", () => {
    const unseen = { ...nothing, secrets: ["pin"], credentials: ["desk", "shop"], hosts: ["desk.example"] };
    expect(hostileSentence({ nodes: ["n"], unseen })).toBe(
      "Before a person sees anything it could: write 0 paths, call 0 tools, read 1 secret, act with 2 credentials, reach 1 host, spend $0.00.",
    );
    expect(hostileSentence({ nodes: ["n"], unseen: { ...nothing, hosts: null } })).not.toContain("host");
    expect(hostileSentence({ nodes: [], unseen: nothing })).toBe("No node that a run can reach works with it. Nothing outside the run.");
  });

  test("tells what comes to somebody, the most confidential first", () => {
    const told = [
      { name: "mail", classification: "internal" },
      { name: "customer", classification: "pii" },
      { name: "shop__list", classification: "internal" },
    ] as const;
    expect(toldTexts(told)).toEqual(["pii: customer", "internal: mail, shop__list"]);
    expect(toldTexts([])).toEqual([]);
  });

  test("says plainly when no budget bounds what is spent, and in tokens when only those are bounded", () => {
    expect(spendText({ models: true, usd: null, tokens: null })).toBe("spend without a limit");
    expect(spendText({ models: true, usd: null, tokens: 200_000 })).toBe("spend 200,000 tokens");
  });
});
