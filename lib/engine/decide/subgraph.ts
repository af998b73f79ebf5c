import type { GraphNode, NodeOf, PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { runsGraph } from "@/lib/graph/kind-of";
import { joinLabels, createSourceLabel, type Label } from "@/lib/graph/label";
import { isGranted, parsePath, getValueAt } from "@/lib/graph/path";
import type { Json } from "@/lib/json";
import { refuse, type Refusal } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { getLimits } from "@/lib/engine/budget";
import { enter, failAttempt } from "@/lib/engine/decide/complete";
import { findNodeById, type DecideContext } from "@/lib/engine/decide/context";
import { finish } from "@/lib/engine/decide/finish";
import { accept, listReads, reject, type Verdict, type Write } from "@/lib/engine/decide/verdict";
import { checkWrites, type CheckedWrites } from "@/lib/engine/decide/writes";
import { findChild, enterFrame, leaveFrame, MAX_FRAMES, getPublishedHere } from "@/lib/engine/frame";
import { findCellsAt, getControlLabel, toMemory, type Frame, type RunState } from "@/lib/engine/state";
import { getEffectiveGrants } from "@/lib/engine/view";

type Crossing = { readonly path: string; readonly value: Json; readonly label: Label };

const leaving = (state: RunState, from: string, to: string): Crossing[] => {
  const value = getValueAt(toMemory(state.cells), parsePath(from) ?? []);
  if (value === undefined) return [];

  return [{ path: to, value, label: joinLabels([getControlLabel(state), ...findCellsAt(state.cells, from).map((cell) => cell.label)]) }];
};

/** Checked separately: each has its own label. */
const arriving = (
  published: PublishedGraph,
  state: RunState,
  grants: readonly string[],
  crossings: readonly Crossing[],
): Result<CheckedWrites, Refusal> => {
  const writes: Write[] = [];
  const protectedKeys: string[] = [];
  for (const { path, value, label } of crossings) {
    const checked = checkWrites(published, state, grants, [{ path, value }], label);
    if (!checked.ok) return checked;
    writes.push(...checked.value.writes);
    protectedKeys.push(...checked.value.protectedKeys);
  }

  return ok({ writes, protectedKeys });
};

/** A subgraph's failure may depend on everything inside. */
const insideLabel = (state: RunState, { node, activation }: Frame): Label => {
  const broughtUp = [...state.cells, ...state.aside.filter((cell) => cell.seq > activation)];

  return joinLabels([
    getControlLabel(state),
    createSourceLabel("untrusted", "internal", `node:${node}`),
    ...broughtUp.map((cell) => cell.label),
  ]);
};

const inputsFor = (
  published: PublishedGraph,
  child: PublishedGraph,
  state: RunState,
  inside: RunState,
  node: NodeOf<"subgraph">,
): Result<CheckedWrites, Refusal> => {
  const reads = getEffectiveGrants(published, node).read;
  const crossings = Object.entries(node.config.inputs).flatMap(([key, path]) => leaving(state, path, key));
  const granted = checkReads(reads, Object.values(node.config.inputs));
  if (!granted.ok) return granted;
  const values = Object.fromEntries(crossings.map(({ path, value }) => [path, value]));
  if (!matchesSchema(child.graph.inputs, values, true)) return err(refuse("inputs_invalid", [node.id]));
  const arrived = arriving(child, inside, Object.keys(node.config.inputs), crossings);
  if (!arrived.ok) return arrived;

  return arrived.value.protectedKeys.length > 0 ? err(refuse("key_protected", arrived.value.protectedKeys)) : arrived;
};

const checkReads = (grants: readonly string[], paths: readonly string[]): Result<null, Refusal> => {
  const ungranted = paths.filter((path) => !isGranted(grants, parsePath(path) ?? []));

  return ungranted.length === 0 ? ok(null) : err(refuse("read_not_granted", ungranted));
};

/** Enters a subgraph with its inputs. */
export const descend = ({
  published,
  state,
  node,
}: Pick<DecideContext<"node_result">, "published" | "state"> & { readonly node: GraphNode & { kind: "subgraph" } }): Verdict => {
  const child = findChild(published, node.id);
  if (!child) return reject(refuse("subgraph_missing", [node.id]), node.id);
  if (state.frames.length >= MAX_FRAMES) return reject(refuse("subgraph_depth", [node.id]), node.id);
  const { graph } = child;
  const limits = getLimits(graph);
  const activation = state.activation ?? 0;
  const frame: Omit<Frame, "outer"> = {
    node: node.id,
    activation,
    version: child.version,
    limits,
    entered: { iterations: 0, workedMs: 0, tokens: 0, costMicroUsd: 0 },
  };
  const inside = enterFrame(state, frame);
  const inputs = inputsFor(published, child, state, inside, node);
  if (!inputs.ok) return reject(inputs.error, node.id);

  return accept({
    events: [
      { type: "frame_entered", node: node.id, activation, version: child.version, ...limits },
      enter(child, inside, graph.start_node, null),
    ],
    writes: inputs.value.writes,
    reads: listReads(Object.values(node.config.inputs).flatMap((path) => findCellsAt(state.cells, path))),
    node: node.id,
  });
};

/** Leaves a subgraph and completes its node. */
export const decideAscend = ({ root, state, proposal }: DecideContext<"ascend">): Verdict => {
  const frame = state.frames.at(-1);
  if (!frame || !state.frameEnd) return reject(refuse("version_conflict"));
  const around = leaveFrame(state);
  const published = getPublishedHere(root, around);
  const node = findNodeById(published, frame.node);
  if (!runsGraph(node)) return reject(refuse("subgraph_missing", [frame.node]));
  const left = { type: "frame_left" } as const;
  const failed = (code: string): Verdict => {
    const because = insideLabel(state, frame);
    const failure = failAttempt(published, around, proposal, node.id, { code, retryable: false, jitter: 0, retryAfterMs: null, because });

    return accept({ events: [left, ...failure.events], writes: failure.writes, node: node.id });
  };
  if (state.frameEnd.outcome === "failed") return failed(state.frameEnd.code ?? "subgraph_failed");
  const crossings = Object.entries(node.config.outputs).flatMap(([to, from]) => leaving(state, from, to));
  const outputs = arriving(published, around, getEffectiveGrants(published, node).write, crossings);
  if (!outputs.ok) return failed(outputs.error.code);
  const finished = finish({ published, state: around, proposal, node }, outputs.value);

  return accept({
    events: [left, ...finished.events],
    writes: finished.writes,
    reads: listReads(Object.values(node.config.outputs).flatMap((path) => findCellsAt(state.cells, path))),
    node: node.id,
  });
};
