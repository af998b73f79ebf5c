import { describe, expect, it } from "vitest";
import type { GraphInput } from "@/lib/graph/document";
import { END, version } from "@/lib/engine/testing/kinds";
import { createRunState, type RunState } from "@/lib/engine/state";
import { computeEnvelope } from "./envelope";
import { computeEnvelopeFrom } from "./remaining";

type NodeInput = GraphInput["nodes"][number];

const agent = (id: string): NodeInput => ({
  id,
  kind: "agent",
  write_keys: ["out"],
  config: { agent_id: "plain" },
  failure_policy: { attempts: 1 },
});
const starting = { model: "free", rates: new Map(), limits: {} };
const published = version([agent("a"), agent("b"), END], {
  edges: [
    { id: "ab", source: "a", target: "b" },
    { id: "be", source: "b", target: "end" },
  ],
});
const at = (change: Partial<RunState>): RunState => ({ ...createRunState("w", "r", "g", "p"), ...change });

describe("the remaining cost", () => {
  it("covers what lies ahead, and not what lies behind", () => {
    expect(computeEnvelope(published, starting).modelCalls).toBe(20);
    expect(computeEnvelopeFrom(published, at({ currentNode: "a" }), starting, "live")).toMatchObject({ modelCalls: 20, node: "a" });
    expect(computeEnvelopeFrom(published, at({ currentNode: "b" }), starting, "live")).toMatchObject({ modelCalls: 10, node: "b" });
    expect(computeEnvelopeFrom(published, at({ currentNode: "end" }), starting, "live").modelCalls).toBe(0);
  });

  it("is the whole graph's when the place says too little", () => {
    expect(computeEnvelopeFrom(published, at({ currentNode: null }), starting, "live")).toMatchObject({ modelCalls: 20, node: null });
    expect(computeEnvelopeFrom(published, at({ currentNode: "gone" }), starting, "live")).toMatchObject({ modelCalls: 20, node: null });
  });

  it("of a simulation has no effects", () => {
    expect(computeEnvelopeFrom(published, at({ currentNode: "a" }), starting, "simulate")).toMatchObject({
      changes: 0,
      irreversible: 0,
      unattended: 0,
      modelCalls: 20,
    });
  });
});
