import { describe, expect, test } from "vitest";
import type { Reachable } from "./blast";
import type { Sink } from "./sinks";
import { describeGates, blastRadiusSentence, describeSink, describeSource, spendText, describeTold, sortWorstFirst } from "./labels";

const nameOf = (id: string) => id.toUpperCase();
const call = (effect: "read" | "write" | "irreversible"): Sink => ({ kind: "call", node: "act", tool: "desk__do", effect, outward: true });
const reach = (sink: Sink, gated: boolean): Reachable => ({ sink, gated, gates: [] });

describe("worst first", () => {
  test("sorts ungated before gated, and irreversible before reversible", () => {
    const key: Sink = { kind: "key", node: "act", key: "plan" };
    const route: Sink = { kind: "route", node: "act" };
    const mixed = [
      reach(call("irreversible"), true),
      reach(route, false),
      reach(call("write"), true),
      reach(key, false),
      reach(call("write"), false),
    ];

    expect(sortWorstFirst(mixed).map(({ sink, gated }) => [sink.kind === "call" ? sink.effect : sink.kind, gated])).toEqual([
      ["write", false],
      ["key", false],
      ["route", false],
      ["irreversible", true],
      ["write", true],
    ]);
  });

  test("keeps the order of equals", () => {
    const equals = ["a", "b", "c"].map((node) => reach({ kind: "route", node }, false));

    expect(sortWorstFirst(equals)).toEqual(equals);
  });
});

test("sink and source texts use node titles", () => {
  expect([call("irreversible"), call("write"), call("read")].map((sink) => describeSink(sink, nameOf))).toEqual([
    "“ACT” calls desk__do, which makes an irreversible change",
    "“ACT” calls desk__do, which changes data outside the run",
    "“ACT” calls desk__do, which sends its arguments outside",
  ]);
  expect(describeSink({ kind: "route", node: "act", edge: "on" }, nameOf)).toBe("“ACT” decides whether edge on is taken");
  expect(describeSource({ type: "tools", node: "act", tools: [] }, nameOf)).toBe("tool results of ACT");
});

test("a gate that can be bypassed does not count as an approval", () => {
  expect(describeGates({ gated: true, gates: ["ask"] }, nameOf)).toBe("Needs an approval at “ASK”");
  expect(describeGates({ gated: true, gates: [] }, nameOf)).toBe("Needs an approval, by policy");
  expect(describeGates({ gated: false, gates: [] }, nameOf)).toBe("No approval");
  expect(describeGates({ gated: false, gates: ["ask"] }, nameOf)).toBe("No approval: enters after “ASK”");
});

describe("the blast radius sentence", () => {
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

  test("counts what happens before the first approval", () => {
    const unseen = { ...nothing, paths: ["a", "b", "c", "d"], tools: ["x", "y"], spend: { models: true, usd: 0.4, tokens: null } };
    expect(blastRadiusSentence({ nodes: ["n"], unseen })).toBe(
      "Before the first approval it could: write 4 paths, call 2 tools, reach 0 hosts, spend $0.40.",
    );
  });

  test("names secrets and credentials if any, and hosts if known", () => {
    const unseen = { ...nothing, secrets: ["pin"], credentials: ["desk", "shop"], hosts: ["desk.example"] };
    expect(blastRadiusSentence({ nodes: ["n"], unseen })).toBe(
      "Before the first approval it could: write 0 paths, call 0 tools, read 1 secret, act with 2 credentials, reach 1 host, spend $0.00.",
    );
    expect(blastRadiusSentence({ nodes: ["n"], unseen: { ...nothing, hosts: null } })).not.toContain("host");
    expect(blastRadiusSentence({ nodes: [], unseen: nothing })).toBe("No reachable node uses it, so it can do nothing.");
  });

  test("lists received data, most confidential first", () => {
    const told = [
      { name: "mail", classification: "internal" },
      { name: "customer", classification: "pii" },
      { name: "shop__list", classification: "internal" },
    ] as const;
    expect(describeTold(told)).toEqual(["pii: customer", "internal: mail, shop__list"]);
    expect(describeTold([])).toEqual([]);
  });

  test("says when no budget limits spending, and counts tokens when only those are limited", () => {
    expect(spendText({ models: true, usd: null, tokens: null })).toBe("spend without limit");
    expect(spendText({ models: true, usd: null, tokens: 200_000 })).toBe("spend 200,000 tokens");
  });
});
