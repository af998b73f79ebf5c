/** What the engine itself proposes: the start, timers and limits. */
import { refuse } from "@/lib/refusal";
import { enter } from "@/lib/engine/decide/complete";
import type { DecideContext } from "@/lib/engine/decide/context";
import { resolveGate } from "@/lib/engine/decide/resolve";
import { accept, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { joinLabels } from "@/lib/graph/label";
import { limitReached } from "@/lib/engine/limits";
import { ownEntry } from "@/lib/engine/state";
import { isStale } from "@/lib/engine/transition";

export const decideBegin = ({ published, state }: DecideContext<"begin">): Verdict => {
  const start = published.graph.start_node;
  if (state.status !== "scheduled") return reject(refuse("run_exists"));
  const label = joinLabels([]);

  return accept({ events: [{ type: "status_changed", to: "running", reason: null }, enter(state, start, null, label)], node: start });
};

/** Expiry is the engine's own: nobody has to call, and it takes the rejection path. */
export const decideExpire = ({ published, state, proposal, body }: DecideContext<"expire">): Verdict => {
  const gate = ownEntry(state.gates, body.approval_id);
  if (!gate || gate.status !== "open") return reject(refuse("approval_closed"));
  if (proposal.at < gate.gate.expires_at) return reject(refuse("approval_not_due"), gate.gate.node);
  const resolved = resolveGate(published, state, proposal, gate, "expired");

  return accept({ ...resolved, node: gate.gate.node });
};

/** What an approval is based on has changed: it is void, and the node asks again, about what stands now. */
export const decideVoid = ({ state, body }: DecideContext<"void">): Verdict => {
  const gate = ownEntry(state.gates, body.approval_id);
  if (!gate || gate.status !== "open") return reject(refuse("approval_closed"));
  if (!isStale(state, gate.gate.transition)) return reject(refuse("version_conflict"), gate.gate.node);

  return accept({
    events: [
      { type: "gate_resolved", approval_id: body.approval_id, outcome: "void", receipt: null },
      { type: "status_changed", to: "running", reason: "void" },
    ],
    node: gate.gate.node,
  });
};

export const decideStop = ({ state, proposal, body }: DecideContext<"stop">): Verdict => {
  if (limitReached(state, proposal.at) !== body.limit) return reject(refuse("version_conflict"));
  const to = body.limit === "time_limit" ? "timeout" : "failed";

  return accept({ events: [{ type: "status_changed", to, reason: body.limit }], node: state.currentNode });
};
