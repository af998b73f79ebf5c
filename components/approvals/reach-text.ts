import { describeEffect, describeSource, type NameOf } from "@/lib/graph/analyse/labels";
import type { GateReach } from "@/server/trpc/routers/approvals/gate-reach";

export const callText = ({ call, writes }: Pick<GateReach, "call" | "writes">): string => {
  const does = call ? `It ${describeEffect(call)}, using ${call.tool} on ${call.server}.` : "No tool is called. The run continues.";

  return writes.length === 0 ? does : `${does} The node can write ${writes.join(", ")}.`;
};

export const describeShaping = (
  { integrity, covered, flows }: Pick<GateReach, "integrity" | "covered" | "flows">,
  nameOf: NameOf,
): string => {
  const sources = [...new Set(flows.map(({ source }) => describeSource(source, nameOf)))].join("; ");
  if (integrity === "untrusted") {
    if (sources !== "") return `Untrusted data shaped it. Nearest source in the graph: ${sources}.`;

    return "Its label says that untrusted data shaped it. The graph analysis found no path.";
  }
  const here = integrity === "reviewed" ? "In this run, its inputs were reviewed by people." : "In this run, no untrusted data shaped it.";
  if (sources !== "") return `${here} In this graph, untrusted data could reach it. Nearest source: ${sources}.`;

  return covered ? `${here} In this graph, untrusted data can't reach it.` : here;
};

export const describeNext = ({ gates, certain }: GateReach["next"], nameOf: NameOf): string => {
  if (gates.length === 0) return "No other gate follows.";
  const named = gates.map(nameOf).join(", ");

  return certain ? `Another gate follows on every route: ${named}.` : `Another gate follows on some routes only: ${named}.`;
};
