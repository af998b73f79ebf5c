import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { digestOf, type HexDigest } from "@/lib/hash";
import type { Json, JsonObject } from "@/lib/json";
import type { Basis, Transition } from "@/lib/engine/event";
import { findCellsAt, isSimulated, type Cell, type GateState, type RunState } from "@/lib/engine/state";
import { findTask } from "@/lib/engine/task";
import { listTaskCells } from "@/lib/engine/view";

export const toBasis = (cells: readonly Cell[]): Basis[] =>
  cells.map((cell) => ({ path: cell.path, seq: cell.seq, commitment: cell.commitment }));

const absent = (path: string): Basis => ({ path, seq: null, commitment: null });

/** Returns current cells, empty ones too. */
export const listOverwritten = (state: RunState, paths: readonly string[]): Basis[] =>
  paths.flatMap((path) => {
    const cells = findCellsAt(state.cells, path);

    return cells.length > 0 ? toBasis(cells) : [absent(path)];
  });

export const computeArgumentsDigest = (value: Json): HexDigest => digestOf("arguments", value);

type Pending = { readonly kind: string; readonly value: Json; readonly call: string };

const groundOf = (published: PublishedGraph, state: RunState, node: GraphNode, taskId: string): Basis[] => {
  const task = findTask(published, state, node, taskId);

  return task ? toBasis(listTaskCells(published, state, node, task)) : [];
};

/** Builds a transition; equal proposals digest equally. */
export const buildTransition = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  pending: Pending,
  extra: {
    readonly overwrites?: readonly Basis[];
    readonly effect?: Transition["effect"];
    readonly reads?: readonly Basis[];
    readonly task?: string;
  } = {},
): Transition => ({
  workspace: state.workspace,
  run: state.run,
  graph_hash: state.graphHash,
  policy_hash: state.policyHash,
  node: node.id,
  // Graphs may be reused, so frames name the place.
  proposal_digest: digestOf("proposal", { node: node.id, within: state.frames.map((frame) => frame.activation), ...pending }),
  reads: [...(extra.reads ?? groundOf(published, state, node, extra.task ?? ""))],
  overwrites: [...(extra.overwrites ?? [])],
  effect: extra.effect ?? null,
});

export const computeTransitionDigest = (transition: Transition): HexDigest => digestOf("transition", transition);

export const buildEffectTransition = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  tool: PinnedTool,
  args: JsonObject,
  call: string,
  task = "",
): Transition =>
  buildTransition(
    published,
    state,
    node,
    { kind: "effect", value: { server: tool.server, tool: tool.tool, arguments: args }, call },
    {
      task,
      effect: {
        server: tool.server,
        tool: tool.tool,
        definition_digest: tool.definition_digest,
        arguments_digest: computeArgumentsDigest(args),
      },
    },
  );

/** Returns whether policy or a basis cell changed. */
export const isStale = (state: RunState, transition: Transition): boolean => {
  if (transition.policy_hash !== state.policyHash || transition.graph_hash !== state.graphHash) return true;
  const named = [...transition.reads, ...transition.overwrites];
  const isNamed = (cell: Cell) => named.some((basis) => basis.path === cell.path && basis.seq === cell.seq);

  return named.some((basis) => {
    const now = findCellsAt(state.cells, basis.path);
    const stands = basis.seq === null || now.some((cell) => cell.path === basis.path && cell.seq === basis.seq);

    return !stands || !now.every(isNamed);
  });
};

/** Simulations have no receipt. */
const holdsUntil = (state: RunState, gate: GateState): number =>
  gate.receipt?.payload.expires_at ?? (isSimulated(state) ? gate.gate.expires_at : 0);

/**
 * Returns whether the approval is valid and unused.
 * @param at ms since 1970
 */
export const holdsAt = (state: RunState, gate: GateState, at: number): boolean =>
  gate.status === "approved" && gate.usedBy === null && at < holdsUntil(state, gate);

export const findReceiptFor = (state: RunState, digest: HexDigest, at: number): GateState | undefined => {
  const last = Object.values(state.gates).findLast(({ gate }) => gate.transition_digest === digest);

  return last && holdsAt(state, last, at) ? last : undefined;
};
