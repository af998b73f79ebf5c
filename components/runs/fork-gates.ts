import type { ForkChange } from "@/lib/engine/forks/fork-change";
import type { RunState } from "@/lib/engine/state";

export type ForkedGate = { readonly id: string; readonly prompt: string; readonly node: string; readonly becomes: string };

const becomes = (status: RunState["gates"][string]["status"], isUsed: boolean, isDecided: boolean): string => {
  if (isDecided) return "is decided as declared, for this simulation only";
  if (status === "open") return "is void. The fork opens a new approval request";
  if (status === "approved" && !isUsed) return "was approved but not used. The fork does not inherit the approval and opens a new request";

  return "is resolved. Its outcome is part of the shared records";
};

export const listForkedGates = (state: RunState, change: ForkChange | null): readonly ForkedGate[] =>
  Object.values(state.gates).map(({ gate, status, usedBy }) => ({
    id: gate.id,
    prompt: gate.prompt,
    node: gate.node,
    becomes: becomes(status, usedBy !== null, change?.type === "decision" && change.approval_id === gate.id && status === "open"),
  }));
