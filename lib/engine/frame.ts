import type { Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { runsGraph } from "@/lib/graph/kind-of";
import { CLEAN } from "@/lib/graph/label";
import type { RunEvent } from "@/lib/engine/event";
import { getControlLabel, findNextUndo, type RunState } from "@/lib/engine/state";

export const MAX_FRAMES = 32;

/** Returns a subgraph node's version, or null. */
export const findChild = (published: PublishedGraph, nodeId: string): (PublishedGraph & { readonly version: string }) | null => {
  const node = published.graph.nodes.find((candidate) => candidate.id === nodeId);
  const found = runsGraph(node) ? published.subgraphs.find((child) => child.version === node.config.version) : undefined;
  if (!found) return null;

  return { ...found, subgraphs: published.subgraphs };
};

const inheritedChecks = (inner: Graph, outer: Graph): Pick<Graph, "verification"> => {
  const [own, around] = [inner.verification, outer.verification];
  if (!own || !around) return own || around ? { verification: own ?? around } : {};

  return {
    verification: {
      effects: [...new Set([...own.effects, ...around.effects])],
      // A verification without checks passes nothing.
      checks: own.checks.length === 0 || around.checks.length === 0 ? [] : [...own.checks, ...around.checks],
      on_failure: own.on_failure === around.on_failure ? own.on_failure : "fail",
    },
  };
};

const inheritedDemand = (inner: Graph, outer: Graph): Pick<Graph, "passkey_for"> => {
  const demands = [inner.passkey_for, outer.passkey_for].flatMap((demand) => demand ?? []);
  const [widest] = demands.toSorted((a, b) => Number(b === "high_risk") - Number(a === "high_risk"));

  return widest ? { passkey_for: widest } : {};
};

const checkersOf = ({ graph, agents }: PublishedGraph) =>
  agents.filter(({ id }) => graph.verification?.checks.some((check) => check.agent_id === id));

const children = new WeakMap<PublishedGraph, Map<string, PublishedGraph>>();

const inside = (published: PublishedGraph, nodeId: string): PublishedGraph | null => {
  const known = children.get(published) ?? new Map<string, PublishedGraph>();
  children.set(published, known);
  const found = known.get(nodeId);
  if (found) return found;
  const child = findChild(published, nodeId);
  if (!child) return null;
  const { version: _version, ...parts } = child;
  const { graph } = parts;
  const guarded = {
    ...parts,
    graph: {
      ...graph,
      strict_taint: graph.strict_taint || published.graph.strict_taint,
      isolate_untrusted: graph.isolate_untrusted || published.graph.isolate_untrusted,
      ...inheritedChecks(graph, published.graph),
      ...inheritedDemand(graph, published.graph),
    },
    agents: [...parts.agents, ...checkersOf(published).filter(({ id }) => !parts.agents.some((agent) => agent.id === id))],
  };
  known.set(nodeId, guarded);

  return guarded;
};

/** Returns the graph inside these subgraphs, outermost first. */
export const findPublishedIn = (root: PublishedGraph, nodes: readonly string[]): PublishedGraph =>
  nodes.reduce((published, node) => inside(published, node) ?? published, root);

/** Returns the graph at the current place. */
export const getPublishedHere = (root: PublishedGraph, state: Pick<RunState, "frames" | "unwinding" | "compensation">): PublishedGraph =>
  findPublishedIn(root, findNextUndo(state)?.frames ?? state.frames.map((frame) => frame.node));

/** Returns a node's key across subgraphs: `outer/inner`. */
export const getNodeKey = (state: Pick<RunState, "frames">, node: string): string =>
  [...state.frames.map((frame) => frame.node), node].join("/");

export const findNodeByKey = (root: PublishedGraph, key: string): GraphNode | undefined => {
  const names = key.split("/");

  return findPublishedIn(root, names.slice(0, -1)).graph.nodes.find((node) => node.id === names.at(-1));
};

/** Returns a frame's ledger prefix; empty for the run. */
export const getFramePrefix = (frames: readonly { readonly activation: number }[]): string => {
  const innermost = frames.at(-1);

  return innermost ? `@${innermost.activation}/` : "";
};

export const stripPrefix = (path: string): string => path.replace(/^@[0-9]+\//u, "");

export const leaveFrame = (state: RunState): RunState => {
  const frame = state.frames.at(-1);
  if (!frame) return state;

  return {
    ...state,
    ...frame.outer,
    frames: state.frames.slice(0, -1),
    frameEnd: null,
    currentNode: frame.node,
    activation: frame.activation,
    retryAt: null,
    handoff: null,
    failedTasks: {},
  };
};

export type Place = { readonly node: string; readonly version: string };

/** Returns the open subgraphs, outermost first. */
export const trackPlaces = (places: readonly Place[], event: RunEvent): readonly Place[] => {
  if (event.type === "frame_entered") return [...places, { node: event.node, version: event.version }];

  return event.type === "frame_left" ? places.slice(0, -1) : places;
};

/** Returns to the outermost graph. */
export const leaveFrames = (state: RunState): RunState => (state.frames.length === 0 ? state : leaveFrames(leaveFrame(state)));

/** Enters a subgraph with empty memory. */
export const enterFrame = (state: RunState, frame: Omit<RunState["frames"][number], "outer">): RunState => {
  const label = getControlLabel(state);
  const isClean = label.integrity === CLEAN.integrity && label.confidentiality === CLEAN.confidentiality && label.provenance.length === 0;

  return {
    ...state,
    frames: [...state.frames, { ...frame, outer: { cells: state.cells, controls: state.controls, retryCount: state.retryCount } }],
    cells: [],
    controls: isClean ? [] : [{ until: null, label }],
    currentNode: null,
    activation: null,
    retryCount: 0,
    failedTasks: {},
    handoff: null,
  };
};
