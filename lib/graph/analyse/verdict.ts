/** The verdict on a flow, shared by problems, canvas and lists. */
import { changesSomething, type Facts } from "@/lib/graph/problems/facts";
import type { Confidential, Flow } from "./flows";
import { getSinkId } from "./sinks";

/**
 * `open`: it does harm, and on some way nobody is asked. `held`: a person decides first, on every way. `noted`: it gets
 * there, and nothing outside follows from that.
 */
export type Verdict = "open" | "noted" | "held";

type Judged = Pick<Flow, "kind" | "sink" | "stopped">;

/** Whether a call can leak confidential data. @param confided nodes that receive secret or personal data */
export const leaks = ({ sink }: Pick<Flow, "sink">, { confided }: Pick<Confidential, "confided">): boolean =>
  sink.kind === "call" && sink.outward && confided.has(sink.node);

/** Whether the engine asks a person about a call that only reads, because of the free text that it tells the outside. */
export const describeAsksForFree = (flow: Judged, { worded }: Pick<Confidential, "worded">): boolean =>
  flow.kind === "untrusted" && flow.sink.kind === "call" && !changesSomething(flow.sink.effect) && worded.has(getSinkId(flow.sink));

/** A gate does not raise integrity, so a key that requires more than it gets is open even with an approval. */
const demandsMore = (facts: Facts, key: string): boolean => (facts.keys.get(key)?.min_integrity ?? "untrusted") !== "untrusted";

export const judgeFlow = (facts: Facts, flow: Judged, told: Pick<Confidential, "confided" | "worded">): Verdict => {
  const { kind, sink, stopped } = flow;
  if (kind === "confidential" || (sink.kind === "key" && demandsMore(facts, sink.key))) return "open";
  if (stopped) return "held";
  switch (sink.kind) {
    case "call":
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
