/** I1: a gate ends as the people said who were asked, about what they were shown, while it was open. */
import type { RunEvent } from "@/lib/engine/event";
import type { ReceiptPayload } from "@/lib/engine/receipt";
import type { LedgerRecord } from "@/lib/engine/record";
import { nodeOf, type Blame, type Seen, type SeenGate } from "./seen";

const checkApproved = (seen: Seen, record: LedgerRecord, known: SeenGate, payload: ReceiptPayload | undefined, blame: Blame): void => {
  const { gate } = known;
  const node = nodeOf(seen, gate.node);
  const quorum = node?.kind === "approval" ? node.config.quorum : 1;
  if (record.principal.type !== "user" || record.principal.role !== "reviewer") blame("I1", "a gate was approved by nobody who may");
  if (new Set(known.approvers).size < quorum) blame("I1", "too few people approved");
  if (known.approvers.includes(seen.initiator)) blame("I1", "who started the run approved");
  if (quorum === 1 && known.approvers.includes(seen.author)) blame("I1", "who drew the graph approved alone");
  if (record.at >= gate.expires_at) blame("I1", "approved after it had expired");
  if (record.policy_hash !== gate.transition.policy_hash) blame("I1", "approved under other rules than it was asked under");
  if (payload?.transition_digest !== gate.transition_digest) blame("I1", "the receipt is for something else");
  for (const person of known.approvers)
    if (!seen.world.meant.has(`${person} ${gate.id} ${gate.transition_digest}`)) blame("I1", "a yes was taken for what nobody said yes to");
};

export const checkResolved = (
  seen: Seen,
  record: LedgerRecord,
  event: Extract<RunEvent, { type: "gate_resolved" }>,
  blame: Blame,
): void => {
  const known = seen.gates.get(event.approval_id);
  if (!known || known.status !== "open") {
    blame("R1", "a gate ended that was not open");

    return;
  }
  if (event.outcome === "approved") checkApproved(seen, record, known, event.receipt?.payload, blame);
  if (event.outcome === "expired" && record.at < known.gate.expires_at) blame("I1", "a gate expired before its time");
  known.status = event.outcome;
  known.receipt = event.receipt?.payload ?? null;
};
