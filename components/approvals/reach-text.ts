/** What approving lets happen, in sentences. The server has analysed the frozen graph; the words are made here. */
import { effectText, sourceText, type NameOf } from "@/lib/graph/analyse/labels";
import type { GateReach } from "@/server/trpc/routers/approvals/gate-reach";

/** What the approved call can change. */
export const callText = ({ call, writes }: Pick<GateReach, "call" | "writes">): string => {
  const does = call ? `It ${effectText(call)}, through ${call.tool} on ${call.server}.` : "It calls nothing: the run goes on.";

  return writes.length === 0 ? does : `${does} The node can write ${writes.join(", ")}.`;
};

/** Whether untrusted data shaped it, as far as the label and the graph tell. */
export const shapedText = ({ integrity, covered, flows }: Pick<GateReach, "integrity" | "covered" | "flows">, nameOf: NameOf): string => {
  const sources = [...new Set(flows.map(({ source }) => sourceText(source, nameOf)))].join("; ");
  if (integrity === "untrusted") {
    if (sources !== "") return `Untrusted data shaped it. The nearest source in the graph: ${sources}.`;

    return "Untrusted data shaped it, by its label; the analysis of the graph does not say how.";
  }
  const here = integrity === "reviewed" ? "In this run people reviewed what shaped it." : "In this run nothing untrusted shaped it.";
  if (sources !== "") return `${here} In this graph something untrusted could; the nearest source: ${sources}.`;

  return covered ? `${here} In this graph nothing untrusted can.` : here;
};

/** Whether somebody is asked again after this. */
export const nextText = ({ gates, certain }: GateReach["next"], nameOf: NameOf): string => {
  if (gates.length === 0) return "No other gate follows.";
  const named = gates.map(nameOf).join(", ");

  return certain ? `Another gate follows on every way: ${named}.` : `Another gate follows on some ways only: ${named}.`;
};
