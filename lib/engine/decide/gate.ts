import type { GraphNode, NodeOf } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import type { Label } from "@/lib/graph/label";
import type { Json } from "@/lib/json";
import type { Demand } from "@/lib/people/approvers";
import type { Gate, GateReason, RunEvent, Transition } from "@/lib/engine/event";
import { listOwnDemands } from "@/lib/engine/decide/demands";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { computeTransitionDigest } from "@/lib/engine/ledger/transition";

const planEscalation = (proposal: Proposal, config: NodeOf<"approval">["config"] | null): Pick<Gate, "escalation"> => {
  if (!config?.escalation || config.escalation.after_ms >= config.timeout_ms) return {};
  const { after_ms: afterMs, to, group } = config.escalation;

  return { escalation: { at: proposal.at + afterMs, to, ...(to === "group" && group !== undefined ? { group } : {}) } };
};

const listFirstDemands = (node: GraphNode, quorum: number, escalation: Gate["escalation"]): readonly Demand[] => {
  const { at, group } = escalation ?? {};
  const widened = at === undefined || group === undefined ? {} : { escalation: { at, group } };

  return listOwnDemands(node, quorum).map((demand) => ({ ...demand, ...widened }));
};

const DAY_MS = 86_400_000;
const MAX_PROMPT_CHARACTERS = 2_000;

type Opening = {
  readonly node: GraphNode;
  readonly reason: GateReason;
  readonly prompt: string;
  readonly transition: Transition;
  /** Kept as the gate's own cell, so that it survives restarts. */
  readonly pending: Json;
  readonly label: Label;
  readonly reviewKeys?: readonly string[];
  readonly quorum?: number;
  /** Besides the node's own. */
  readonly demands?: readonly Demand[];
  readonly editors?: Gate["editors"];
  readonly terms?: Pick<Gate, "id" | "role" | "quorum" | "expires_at">;
};

/** Opens a gate. Default: reviewers, 24 hours. */
export const openGate = (proposal: Proposal, opening: Opening): { events: RunEvent[]; writes: Write[] } => {
  const config = asksPerson(opening.node) ? opening.node.config : null;
  const [id, nonce] = proposal.fresh;
  const quorum = opening.terms?.quorum ?? config?.quorum ?? opening.quorum ?? 1;
  const escalation = planEscalation(proposal, config);
  const demands = [...listFirstDemands(opening.node, quorum, escalation.escalation), ...(opening.demands ?? [])];
  const gate: Gate = {
    id,
    node: opening.node.id,
    reason: opening.reason,
    prompt: opening.prompt.slice(0, MAX_PROMPT_CHARACTERS).toWellFormed(),
    transition: opening.transition,
    transition_digest: computeTransitionDigest(opening.transition),
    review_keys: [...(opening.reviewKeys ?? [])],
    role: config?.role ?? "reviewer",
    quorum,
    nonce,
    opened_at: proposal.at,
    expires_at: proposal.at + (config?.timeout_ms ?? DAY_MS),
    ...escalation,
    ...(opening.editors ? { editors: opening.editors } : {}),
    ...(demands.length === 0 ? {} : { demands }),
    ...opening.terms,
  };

  return {
    events: [
      { type: "gate_opened", gate },
      { type: "status_changed", to: "waiting", reason: opening.reason },
    ],
    writes: [{ path: `$pending.${gate.id}`, value: opening.pending, label: opening.label }],
  };
};
