import type { PublishedGraph } from "@/lib/graph/document";
import { decide } from "@/lib/engine/decide";
import { recordPersonVerdict } from "@/lib/engine/decide/case-people";
import { findNodeById } from "@/lib/engine/decide/context";
import { resolveGate } from "@/lib/engine/decide/resolve";
import type { Write } from "@/lib/engine/decide/verdict";
import { isTerminal, type RunEvent, type RunStatus } from "@/lib/engine/event";
import { getPublishedHere } from "@/lib/engine/frame";
import { plan } from "@/lib/engine/plan";
import type { Proposal } from "@/lib/engine/proposal";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { isResting, type GateState, type RunState } from "@/lib/engine/state";

export type IfDeclined = {
  readonly next: { readonly node: string; readonly title: string } | null;
  /** Final status after undos; null: not ended. */
  readonly ends: RunStatus | null;
  readonly code: string | null;
  /** Waits for the agent's next action. */
  readonly rests: boolean;
  readonly undone: readonly { readonly node: string; readonly server: string; readonly tool: string }[];
};

const MOST_STEPS = 100;
const NOBODY = "00000000-0000-4000-8000-000000000000";
const NOTHING = "0".repeat(64);

const proposalAt = (state: RunState, at: number, body: Proposal["body"]): Proposal => ({
  id: NOBODY,
  workspace: state.workspace,
  run: state.run,
  at,
  principal: { type: "engine", epoch: 1 },
  epoch: 1,
  fresh: [NOBODY, NOBODY],
  body,
});

const after = (state: RunState, at: number, events: readonly RunEvent[], writes: readonly Write[]): RunState => {
  const record: SignedRecord["record"] = {
    v: 1,
    workspace: state.workspace,
    run: state.run,
    seq: state.version,
    kind: "transition",
    proposal_kind: "expire",
    proposal_id: NOBODY,
    at,
    principal: { type: "engine", epoch: 1 },
    node: null,
    graph_hash: state.graphHash,
    policy_hash: state.policyHash,
    proposal_digest: NOTHING,
    reads: [],
    writes: writes.map(({ path, label }) => ({ path, label, commitment: NOTHING })),
    control: [...events],
    refusal: null,
    parent: state.head,
  };

  return applyRecord(
    state,
    { record, digest: NOTHING, kid: "", signature: "" },
    writes.map(({ value }) => value),
  );
};

const settled = (root: PublishedGraph, from: RunState, at: number): { readonly state: RunState; readonly events: readonly RunEvent[] } => {
  let state = from;
  const events: RunEvent[] = [];
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const work = plan(root, state, at, 1);
    if (work.type !== "propose" || work.body.kind !== "ascend") break;
    const verdict = decide(root, { ...state, proposals: {} }, proposalAt(state, at, work.body));
    if (!verdict.ok) break;
    events.push(...verdict.events);
    state = after(state, at, verdict.events, verdict.writes);
  }

  return { state, events };
};

const codeIn = (events: readonly RunEvent[]): string | null =>
  events.reduce<string | null>((code, event) => {
    if (event.type === "unwinding") return event.reason;
    if (event.type === "attempt_failed" || event.type === "frame_ended") return event.code;

    return event.type === "status_changed" && isTerminal(event.to) ? (event.reason ?? code) : code;
  }, null);

const describeDecline = (
  root: PublishedGraph,
  state: RunState,
  gateState: GateState,
  outcome: "rejected" | "expired",
  nowMs: number,
): IfDeclined | null => {
  if (gateState.status !== "open") return null;
  const here = getPublishedHere(root, state);
  const proposal = proposalAt(state, nowMs, { kind: "expire", approval_id: gateState.gate.id });
  const asking = findNodeById(here, gateState.gate.node);
  // In a case a rejection is one verdict, and the count decides.
  const spoken =
    asking && outcome === "rejected" ? recordPersonVerdict(state, asking, gateState, NOBODY, { verdict: "reject" }).state : state;
  const resolved = resolveGate(here, spoken, proposal, gateState, outcome);
  const first = after(state, nowMs, resolved.events, resolved.writes);
  const { state: then, events } = settled(root, first, nowMs);
  const unwinding = [...resolved.events, ...events].find((event) => event.type === "unwinding");
  const node = getPublishedHere(root, then).graph.nodes.find(({ id }) => id === then.currentNode);

  return {
    next: node && !isTerminal(then.status) ? { node: node.id, title: node.title } : null,
    ends: unwinding?.to ?? (isTerminal(then.status) ? then.status : null),
    code: codeIn([...resolved.events, ...events]),
    rests: isResting(then),
    undone: unwinding
      ? then.compensation
          .flatMap(({ outcome: left, node: by, server, tool }) => (left === null ? [{ node: by, server, tool }] : []))
          .toReversed()
      : [],
  };
};

/**
 * Predicts a rejection; null: gate not open.
 * @param nowMs ms since 1970
 */
export const describeRejection = (root: PublishedGraph, state: RunState, gateState: GateState, nowMs: number): IfDeclined | null =>
  describeDecline(root, state, gateState, "rejected", nowMs);

/** Predicts an undecided gate's expiry; null: not open. */
export const describeExpiry = (root: PublishedGraph, state: RunState, gateState: GateState): IfDeclined | null =>
  describeDecline(root, state, gateState, "expired", gateState.gate.expires_at);
