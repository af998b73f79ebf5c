import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import { CLEAN } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import { findOverspent, type RunBudgetCode, type Shortage } from "@/lib/engine/budget";
import { describeLimit, LIMIT_NAMES, parseRaise, type Raise } from "@/lib/engine/approvals/raised-limit";
import { endRun } from "@/lib/engine/decide/complete";
import { openGate } from "@/lib/engine/decide/gate";
import type { Write } from "@/lib/engine/decide/verdict";
import type { RunEvent } from "@/lib/engine/event";
import type { Proposal } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { buildTransition } from "@/lib/engine/ledger/transition";

export const asksForMore = (root: PublishedGraph): boolean => root.graph.over_budget === "ask";

/** Doubles the limit, or more if that would not suffice. */
const planRaise = ({ measure, limit, needed }: Shortage): Raise => ({
  measure,
  from: limit,
  to: Math.min(Number.MAX_SAFE_INTEGER, Math.max(2 * limit, needed)),
});

export const askForMore = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  node: GraphNode,
  shortage: Shortage,
): { events: RunEvent[]; writes: Write[]; node: string } => {
  const raise = planRaise(shortage);
  const pending = { raise };
  const opened = openGate(proposal, {
    node,
    reason: "budget",
    prompt: `${LIMIT_NAMES[raise.measure]} reached at ${node.title || node.id}. Raise it from ${describeLimit(raise.measure, raise.from)} to ${describeLimit(raise.measure, raise.to)}?`,
    transition: buildTransition(published, state, node, { kind: "budget", value: pending, call: String(state.activation) }, { reads: [] }),
    pending,
    label: CLEAN,
  });

  return { ...opened, node: node.id };
};

export const raiseLimit = (approvalId: string, pending: Json): RunEvent[] => {
  const raise = parseRaise(pending);

  return raise ? [{ type: "limit_raised", approval_id: approvalId, ...raise }] : [];
};

export const getWantedCode = (pending: Json): RunBudgetCode => (parseRaise(pending)?.measure === "tokens" ? "token_budget" : "cost_budget");

/** Calls in flight may overspend while the run waits for a person, whose decision completes it. */
export const endOverspent = (state: RunState, events: readonly RunEvent[]): readonly RunEvent[] => {
  const overspent = findOverspent(state);

  return overspent === null
    ? events
    : events.flatMap((event) =>
        event.type === "status_changed" && event.to === "completed" ? endRun(state, "budget_exceeded", overspent.code) : [event],
      );
};
