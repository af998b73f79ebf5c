/** I1 of gates. */
import type { RunEvent } from "@/lib/engine/event";
import type { ReceiptPayload } from "@/lib/engine/approvals/receipt";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { toCanonicalJson } from "@/lib/json";
import { getValueAt } from "@/lib/graph/path";
import { findNode, placeOf, type Blame, type Seen, type SeenGate } from "./visibility";

const quorumOf = (seen: Seen, { node: asking, reason, transition }: SeenGate["gate"]): number => {
  const isCall = reason === "effect" || reason === "tainted_effect";
  const demands = placeOf(seen).published.graph.nodes.flatMap((node) =>
    node.kind === "approval" && (node.id === asking || (isCall && node.config.for_node === transition.node)) ? [node.config.quorum] : [],
  );

  return Math.max(1, ...demands);
};

const checkApproved = (seen: Seen, record: LedgerRecord, known: SeenGate, payload: ReceiptPayload | undefined, blame: Blame): void => {
  const { gate } = known;
  const people = new Set(known.approvers).size;
  if (record.principal.type !== "user" || record.principal.role !== "reviewer") blame("I1", "a gate was approved without permission");
  if (people < quorumOf(seen, gate)) blame("I1", "too few people approved");
  if (known.approvers.includes(seen.initiator)) blame("I1", "who started the run approved");
  if (people === 1 && known.approvers.includes(seen.author)) blame("I1", "who drew the graph approved alone");
  if (record.at >= gate.expires_at) blame("I1", "approved after it had expired");
  if (record.policy_hash !== gate.transition.policy_hash) blame("I1", "approved under other rules than it was asked under");
  if (payload?.transition_digest !== gate.transition_digest) blame("I1", "the receipt is for something else");
  if (people === 1 && known.approvers.some((person) => gate.editors?.includes(person))) blame("I1", "who edited it approved it alone");
  if (known.approvers.some((person) => record.seq >= (seen.world.gone.get(person) ?? Infinity)))
    blame("I1", "an approval counted after its user lost the permission");
  for (const person of known.approvers)
    if (!seen.world.meant.has(`${person} ${gate.id} ${gate.transition_digest}`)) blame("I1", "an approval of another transition counted");
};

/** Edits only open another gate. */
const checkSuperseded = (seen: Seen, record: LedgerRecord, { gate }: SeenGate, blame: Blame): void => {
  const { principal, control } = record;
  const body = seen.world.spoken[record.seq]?.body;
  const opened = control.find((event) => event.type === "gate_opened")?.gate;
  if (record.proposal_kind !== "edit" || principal.type !== "user" || principal.role !== "reviewer" || principal.id === seen.initiator) {
    blame("I1", "a proposal was edited without permission");

    return;
  }
  if (body?.kind !== "edit" || body.nonce !== gate.nonce || body.transition_digest !== gate.transition_digest)
    blame("I1", "an edit counted that was about something else");
  if (opened?.supersedes !== gate.id || !opened.editors?.includes(principal.id)) blame("I1", "an edit does not say whose it is");
  if (opened?.quorum !== gate.quorum || opened.role !== gate.role || opened.expires_at !== gate.expires_at)
    blame("I1", "an edit made it easier to approve");
  if (control.length !== 2) blame("I1", "an edit did more than ask again");
};

/** Retries stay within the node's limit. */
const checkSentBack = (seen: Seen, record: LedgerRecord, known: SeenGate, blame: Blame): void => {
  const { reason, node: id } = known.gate;
  const attempts = findNode(seen, id)?.failure_policy.attempts ?? 1;
  const before = [...seen.gates.values()].filter(({ visit, status }) => visit === known.visit && status === "changes_requested").length;
  if (record.proposal_kind !== "decision") blame("I1", "a proposal was sent back without a decision");
  if (reason !== "approval_node" && before + placeOf(seen).attempts + 1 >= attempts) blame("B1", "a proposal was sent back once too often");
  if (record.writes.some(({ path }) => !path.startsWith("$"))) blame("I1", "a proposal that was sent back was written");
};

/** Of one visit; not the product's number, which may be wrong. */
const MOST_REJECTED = 5;

const checkRejected = (seen: Seen, record: LedgerRecord, known: SeenGate, blame: Blame): void => {
  const { reason } = known.gate;
  if (reason !== "effect" && reason !== "tainted_effect") return;
  const before = [...seen.gates.values()].filter(
    ({ gate, visit, status }) =>
      visit === known.visit && status === "rejected" && (gate.reason === "effect" || gate.reason === "tainted_effect"),
  ).length;
  const ends = record.control.some(({ type }) => type === "attempt_failed");
  if (before + 1 >= MOST_REJECTED && !ends) blame("B1", "a visit went on although its calls were rejected too often");
};

export const checkResolved = (
  seen: Seen,
  record: LedgerRecord,
  event: Extract<RunEvent, { type: "gate_resolved" }>,
  blame: Blame,
): void => {
  const known = event.approval_id === null ? undefined : seen.gates.get(event.approval_id);
  if (!known || known.status !== "open") {
    blame("R1", "a gate ended that was not open");

    return;
  }
  if (event.outcome === "approved") checkApproved(seen, record, known, event.receipt?.payload, blame);
  if (event.outcome === "expired" && record.at < known.gate.expires_at) blame("I1", "a gate expired before its time");
  if (event.outcome === "void" && record.proposal_kind === "void" && record.policy_hash === known.gate.transition.policy_hash)
    blame("R1", "a question was withdrawn although nothing had changed");
  if (event.outcome === "superseded") checkSuperseded(seen, record, known, blame);
  if (event.outcome === "changes_requested") checkSentBack(seen, record, known, blame);
  if (event.outcome === "rejected") checkRejected(seen, record, known, blame);
  known.status = event.outcome;
  known.receipt = event.receipt?.payload ?? null;
};

/** Checks that an undecided gate is escalated once, in time, only to those the node names. */
export const checkEscalated = (
  seen: Seen,
  record: LedgerRecord,
  event: Extract<RunEvent, { type: "gate_escalated" }>,
  blame: Blame,
): void => {
  const known = seen.gates.get(event.approval_id);
  const node = findNode(seen, placeOf(seen).at);
  const declared = node?.kind === "approval" ? node.config.escalation : undefined;
  if (known?.status !== "open" || !declared || known.gate.node !== node?.id || declared.to !== event.to || declared.group !== event.group)
    blame("I1", "a gate was escalated that is not to be");
  if (known && declared && record.at < known.gate.opened_at + declared.after_ms) blame("I1", "a gate was escalated before its time");
  if (seen.escalated.has(event.approval_id)) blame("R1", "a gate was escalated twice");
  seen.escalated.add(event.approval_id);
  if (record.control.length !== 1 || record.writes.length > 0) blame("I1", "an escalation did more than tell");
};

/** Checks that copies are raised as shown, after approval. */
export const checkPromoted = (seen: Seen, record: LedgerRecord, event: Extract<RunEvent, { type: "promoted" }>, blame: Blame): void => {
  const known = seen.gates.get(event.approval_id ?? "");
  const node = findNode(seen, placeOf(seen).at);
  const declared = node?.kind === "approval" && node.config.promote.some(({ from, to }) => from === event.from && to === event.to);
  const here = record.control.some(
    (other) => other.type === "gate_resolved" && other.approval_id === event.approval_id && other.outcome === "approved",
  );
  if (!known || !here || known.gate.node !== node?.id || known.gate.reason !== "approval_node")
    blame("I1", "something was raised without a yes");
  if (!declared) blame("I1", `${event.from} was promoted without a declaration`);
  if (!known?.gate.review_keys.includes(event.from)) blame("I1", `${event.from} was raised and never shown`);
  const shown = getValueAt(known?.memory, event.from.split("."));
  const written = getValueAt(placeOf(seen).memory, event.to.split("."));
  if (toCanonicalJson(shown ?? null) !== toCanonicalJson(written ?? null)) blame("I1", `${event.to} is not the value shown`);
};
