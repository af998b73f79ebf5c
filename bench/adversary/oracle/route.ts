/** F1, F2 and B1: the run goes along drawn edges, no untrusted value chooses under strict taint, limits hold. */
import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/record";
import { pathsIn } from "@/bench/adversary/taint";
import { RESERVATION } from "@/bench/adversary/world";
import { nodeOf, type Blame, type Seen } from "./seen";

type Entered = Extract<RunEvent, { type: "node_entered" }>;

/** The paths that were looked at to choose this edge: those of every condition before it, and its own. */
const lookedAt = (seen: Seen, edge: string): string[] => {
  const drawn = seen.scenario.published.graph.edges.find(({ id }) => id === edge);
  if (drawn?.kind === "error" || drawn?.kind === "timeout") return [];
  const outgoing = seen.scenario.published.graph.edges.filter(({ source, kind }) => source === seen.at && kind === "normal");
  const taken = outgoing.findIndex(({ id }) => id === edge);

  return outgoing.slice(0, taken < 0 ? undefined : taken + 1).flatMap(({ condition }) => pathsIn(condition ?? ""));
};

const hasApproval = (seen: Seen, record: LedgerRecord, reason: string) =>
  record.control.some(
    (event) => event.type === "gate_resolved" && event.outcome === "approved" && seen.gates.get(event.approval_id)?.gate.reason === reason,
  );

/** The edge is drawn, and the node it leaves has done what it is there for. */
const checkEdge = (seen: Seen, record: LedgerRecord, event: Entered, blame: Blame): void => {
  const from = nodeOf(seen, seen.at);
  const edge = seen.scenario.published.graph.edges.find(({ id }) => id === event.edge);
  if (!from || edge?.source !== seen.at || edge.target !== event.node) {
    blame("F1", `went from ${seen.at} to ${event.node} without an edge`);

    return;
  }
  if (edge.kind === "error" || edge.kind === "timeout") return;
  const passed = [...seen.gates.values()].some(
    ({ gate, status, visit }) =>
      gate.node === from.id && visit === seen.activation && gate.reason === "approval_node" && status === "approved",
  );
  if (from.kind === "approval" && !passed) blame("F1", "went past an approval that nobody gave");
  if (from.kind === "tool" && !seen.answered.has(seen.activation)) blame("F1", "went past a tool that was not called");
  const tainted = seen.taint.at(lookedAt(seen, edge.id));
  if (seen.scenario.published.graph.strict_taint && tainted && !hasApproval(seen, record, "tainted_route"))
    blame("F2", `an untrusted value chose ${edge.id}`);
};

export const checkEntered = (seen: Seen, record: LedgerRecord, event: Entered, blame: Blame): void => {
  const from = nodeOf(seen, seen.at);
  const failed = record.control.some(({ type }) => type === "attempt_failed") && (from?.kind === "agent" || from?.kind === "tool");
  const byTaint = failed || (event.edge !== null && seen.taint.at(lookedAt(seen, event.edge)));
  if (seen.at === null && event.node !== seen.scenario.published.graph.start_node) blame("F1", "started somewhere else");
  if (seen.at !== null && event.edge === null) {
    const declined = record.control.some((other) => other.type === "gate_resolved" && other.outcome !== "approved");
    const to = from?.kind === "approval" ? from.config.rejection_node : undefined;
    if (!declined || to !== event.node) blame("F1", "took a rejection's way without a rejection");
  }
  if (event.edge !== null) checkEdge(seen, record, event, blame);
  seen.taint.entered(event.activation, byTaint);
};

const workedMs = (seen: Seen, at: number) =>
  seen.startedAt === null ? 0 : at - seen.startedAt - seen.waitedMs - (seen.waitingSince === null ? 0 : at - seen.waitingSince);

/** Before the record: nobody works beyond the limits, and a call starts only while the budget covers its reservation. */
export const checkLimits = (seen: Seen, record: LedgerRecord, blame: Blame): void => {
  const { graph } = seen.scenario.published;
  const called = record.control.some(({ type }) => type === "model_called");
  if (called && seen.tokens + RESERVATION.tokens > (graph.max_token_budget ?? Infinity))
    blame("B1", "a call began beyond the token budget");
  if (called && seen.cost + RESERVATION.cost_micro_usd > (graph.budget_usd ?? Infinity) * 1_000_000)
    blame("B1", "a call began beyond the cost budget");
  if (record.principal.type !== "executor" || record.proposal_kind === "effect_outcome") return;
  if (seen.iterations >= graph.max_iterations) blame("B1", "a node worked beyond the iteration limit");
  if (workedMs(seen, record.at) >= graph.max_execution_time_ms) blame("B1", "a node worked beyond the time limit");
};
