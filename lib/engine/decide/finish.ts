import { callsTool } from "@/lib/graph/kind-of";
import { joinLabels } from "@/lib/graph/label";
import type { GraphNode, PublishedGraph } from "@/lib/graph/document";
import type { Json } from "@/lib/json";
import { completeNode } from "@/lib/engine/decide/complete";
import { openGate } from "@/lib/engine/decide/gate";
import type { Choice } from "@/lib/engine/decide/route";
import type { Accepted, Write } from "@/lib/engine/decide/verdict";
import type { CheckedWrites } from "@/lib/engine/decide/writes";
import type { Proposal } from "@/lib/engine/proposal";
import type { RunState } from "@/lib/engine/state";
import { listOverwritten, buildTransition } from "@/lib/engine/ledger/transition";

type Finish = {
  readonly published: PublishedGraph;
  readonly state: RunState;
  readonly proposal: Proposal;
  readonly node: GraphNode;
  readonly choice?: Choice | null;
  readonly kept?: readonly Write[];
};

/** Tool nodes' effects were approved before. */
const asksAlways = (node: GraphNode, { writes }: CheckedWrites): boolean =>
  node.approval !== "by_rule" && writes.length > 0 && !callsTool(node);

export const finish = (
  { published, state, proposal, node, choice = null, kept = [] }: Finish,
  checked: CheckedWrites,
): Pick<Accepted, "events" | "writes"> => {
  const { writes, protectedKeys } = checked;
  if (protectedKeys.length === 0 && !asksAlways(node, checked)) {
    const completed = completeNode(published, state, proposal, node.id, writes, choice);

    return { events: completed.events, writes: [...writes, ...kept, ...completed.writes] };
  }
  const updates: Json = writes.map(({ path, value }) => ({ path, value }));
  const pending: Json = choice ? { updates, choice: choice.to } : { updates };
  const paths = writes.map((write) => write.path);

  return openGate(proposal, {
    node,
    reason: "protected_key",
    prompt: `${node.title || node.id} wants to change ${paths.join(", ")}`,
    transition: buildTransition(
      published,
      state,
      node,
      { kind: "write", value: pending, call: String(state.activation) },
      { overwrites: listOverwritten(state, paths) },
    ),
    pending,
    label: joinLabels(writes.map((write) => write.label)),
  });
};
