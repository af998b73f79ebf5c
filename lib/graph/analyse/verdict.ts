import { changesSomething, type Facts } from "@/lib/graph/facts/facts";
import type { Confidential, Flow } from "./flows";
import { isModelCalled } from "@/lib/graph/facts/gates";
import { getSinkId } from "./sinks";

/** `open`: harm without approval. `held`: approval on every path. `noted`: no outside effect. */
export type Verdict = "open" | "noted" | "held";

type Judged = Pick<Flow, "kind" | "sink" | "stopped">;

/** Returns whether a call can leak confidential data. */
export const leaks = ({ sink }: Pick<Flow, "sink">, { confided }: Pick<Confidential, "confided">): boolean =>
  sink.kind === "call" && sink.outward && confided.has(sink.node);

/** Returns whether free text makes the engine ask about a read. */
export const describeAsksForFree = (flow: Judged, { worded }: Pick<Confidential, "worded">): boolean =>
  flow.kind === "untrusted" && flow.sink.kind === "call" && !changesSomething(flow.sink.effect) && worded.has(getSinkId(flow.sink));

/** Returns whether the engine asks about a model's possibly leaking read. */
export const asksForLeak = (facts: Facts, flow: Judged, told: Pick<Confidential, "confided">): boolean => {
  const node = flow.kind === "untrusted" && flow.sink.kind === "call" ? facts.nodes.get(flow.sink.node) : undefined;

  return node !== undefined && isModelCalled(node) && leaks(flow, told);
};

/** Approval does not raise integrity. */
const demandsMore = (facts: Facts, key: string): boolean => (facts.keys.get(key)?.min_integrity ?? "untrusted") !== "untrusted";

export const judgeFlow = (facts: Facts, flow: Judged, told: Pick<Confidential, "confided" | "worded">): Verdict => {
  const { kind, sink, stopped } = flow;
  if (kind === "confidential" || (sink.kind === "key" && demandsMore(facts, sink.key))) return "open";
  if (stopped) return "held";
  switch (sink.kind) {
    case "call":
      if (asksForLeak(facts, flow, told)) return "held";
      if (changesSomething(sink.effect) || leaks(flow, told)) return "open";

      return describeAsksForFree(flow, told) ? "held" : "noted";
    case "key":
      return "open";
    case "route":
      return facts.graph.strict_taint ? "held" : "noted";
    default:
      return sink satisfies never;
  }
};
