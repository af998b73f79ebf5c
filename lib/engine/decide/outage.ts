import type { GraphNode } from "@/lib/graph/document";
import { refuse } from "@/lib/refusal";
import { checkAsker } from "@/lib/engine/decide/check-asker";
import { failAttempt } from "@/lib/engine/decide/complete";
import type { DecideContext } from "@/lib/engine/decide/context";
import { errorCell } from "@/lib/engine/decide/error-cell";
import { accept, listReads, reject, type Verdict } from "@/lib/engine/decide/verdict";
import { computeOutageWaitMs, getOutageLimitMs } from "@/lib/engine/outage";
import { listInfluences } from "@/lib/engine/view";

/** Waits for a provider, without a failed attempt: threads and calls go on. */
export const decideOutage = ({
  published,
  state,
  proposal,
  body,
  node,
}: DecideContext<"outage"> & { readonly node: GraphNode }): Verdict => {
  const { activation, provider, cause, jitter, retry_after_ms: retryAfterMs } = body;
  const waitMs = computeOutageWaitMs(published.graph, state, proposal.at, { jitter, retryAfterMs });
  if (waitMs !== null) {
    return accept({
      events: [
        { type: "outage_waited", node: node.id, activation, provider, cause, retry_at: proposal.at + waitMs, wait_ms: waitMs },
        { type: "status_changed", to: "retrying", reason: "model_outage" },
      ],
      node: node.id,
    });
  }
  // Graphs that wait for no outage retry as for any fault.
  const retryable = getOutageLimitMs(published.graph) === 0;
  const failed = failAttempt(published, state, proposal, node.id, {
    code: retryable ? body.code : "model_outage",
    retryable,
    jitter,
    retryAfterMs,
  });

  return accept({
    events: failed.events,
    writes: [...failed.writes, errorCell(published, state, node, body.task ?? "", body.detail)],
    reads: listReads(listInfluences(published, state, node)),
    node: node.id,
  });
};

/** Ends a wait early, for a person. */
export const decideRetryNow = ({ state, proposal }: DecideContext<"retry_now">): Verdict => {
  const asked = checkAsker(proposal.principal, "run.start", ["run.drive"]);
  if (!asked.ok) return reject(refuse(asked.error), state.currentNode);
  if (state.status !== "retrying" || state.retryAt === null) return reject(refuse("version_conflict"), state.currentNode);

  return accept({ events: [{ type: "status_changed", to: "running", reason: "retry_now" }], node: state.currentNode });
};
