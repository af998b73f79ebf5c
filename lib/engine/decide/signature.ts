import type { PublishedGraph } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import { err, ok, type Result } from "@/lib/result";
import type { RefusalCode } from "@/lib/refusal";
import type { RecordedAssertion } from "@/lib/engine/approvals/assertion";
import { listActingNodes, classifyAuthority, type AuthorityClass } from "@/lib/engine/approvals/authority-class";
import type { DecideContext } from "@/lib/engine/decide/context";
import type { Gate, RunEvent } from "@/lib/engine/event";
import { computeApprovalChallenge, verifyAssertion } from "@/lib/engine/approvals/passkey";
import { bindRules, listGateRules } from "@/lib/engine/approvals/rules";
import type { Accepted } from "@/lib/engine/decide/verdict";
import type { GateState, RunState } from "@/lib/engine/state";

type Demand = NonNullable<PublishedGraph["graph"]["passkey_for"]>;

const DEMANDED = {
  irreversible: ["irreversible"],
  high_risk: ["irreversible", "protected"],
} as const satisfies Record<Demand, readonly AuthorityClass[]>;

const DEMANDED_BY_WORKSPACE: readonly AuthorityClass[] = ["write", "protected", "irreversible"];

const isOfNode = (here: PublishedGraph, gate: Gate): boolean => {
  const { node: asking, transition } = gate;
  const stoodFor: readonly (string | undefined)[] = listActingNodes(here, gate).map(({ id }) => id);

  return here.graph.nodes.some(
    (node) =>
      asksPerson(node) &&
      node.config.passkey === true &&
      (node.id === asking || (transition.effect !== null && stoodFor.includes(node.config.for_node))),
  );
};

/** `here` includes enclosing graphs. */
const isDemanded = (here: PublishedGraph, approvals: "write" | undefined, gate: Gate): boolean => {
  const { passkey_for: demand } = here.graph;
  const classes = [...(approvals ? DEMANDED_BY_WORKSPACE : []), ...(demand ? DEMANDED[demand] : [])];

  return isOfNode(here, gate) || (classes.length > 0 && classes.includes(classifyAuthority(here, gate)));
};

/** Adds demands and workspace rules to every opened gate. */
export const withDemands = (
  root: PublishedGraph,
  here: PublishedGraph,
  state: RunState,
  { events, writes }: Pick<Accepted, "events" | "writes">,
): readonly RunEvent[] => {
  const start = events.find((event) => event.type === "run_started") ?? state.start;
  const closing = events.flatMap((event) => (event.type === "gate_resolved" ? [event.approval_id] : []));

  return events.map((event) => {
    if (event.type !== "gate_opened") return event;
    const { gate: opened } = event;
    const pending = writes.find(({ path }) => path === `$pending.${opened.id}`);
    const gate = bindRules(opened, listGateRules([root, here], { state, start, gate: opened, pending, closing }));

    return { ...event, gate: isDemanded(here, start?.approvals, gate) ? { ...gate, signature: "passkey" } : gate };
  });
};

export const checkSignature = (
  { state, proposal: { principal }, body }: DecideContext<"decision">,
  { gate }: GateState,
): Result<RecordedAssertion | null, RefusalCode> => {
  const { assertion, passkey } = body;
  if (!assertion) return body.decision === "approve" && gate.signature === "passkey" ? err("passkey_required") : ok(null);
  if (principal.type !== "user" || !passkey) return err("passkey_invalid");
  const challenge = computeApprovalChallenge({
    v: 1,
    workspace: state.workspace,
    run: state.run,
    approval_id: gate.id,
    transition_digest: gate.transition_digest,
    view_digest: body.view_digest,
    decision: body.decision,
    nonce: gate.nonce,
    user: principal.id,
  });

  return verifyAssertion(passkey, assertion, challenge) ? ok({ ...assertion, ...passkey }) : err("passkey_invalid");
};
