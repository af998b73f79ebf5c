/**
 * Frames: a subgraph runs inside the run that uses it, with a memory of its own. Its ledger, its budget, its gates and
 * its end are the run's.
 */
import type { Graph, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { CLEAN } from "@/lib/graph/label";
import { controlLabel, nextUndo, type RunState } from "@/lib/engine/state";

export const MAX_FRAMES = 32;

/** The version that a subgraph node stands for, or null when it is not part of what was published. */
export const childOf = (published: PublishedGraph, nodeId: string): (PublishedGraph & { readonly version: string }) | null => {
  const node = published.graph.nodes.find((candidate) => candidate.id === nodeId);
  const found = node?.kind === "subgraph" ? published.subgraphs.find((child) => child.version === node.config.version) : undefined;
  if (!found) return null;

  return { ...found, subgraphs: published.subgraphs };
};

/** Effects inside are looked at as the graph around it says, on top of what its own graph says. */
const inheritedChecks = (inner: Graph, outer: Graph): Pick<Graph, "verification"> => {
  const [own, around] = [inner.verification, outer.verification];
  if (!own || !around) return own || around ? { verification: own ?? around } : {};

  return {
    verification: {
      effects: [...new Set([...own.effects, ...around.effects])],
      // Without a check of its own either of them lets nothing pass.
      checks: own.checks.length === 0 || around.checks.length === 0 ? [] : [...own.checks, ...around.checks],
      on_failure: own.on_failure === around.on_failure ? own.on_failure : "fail",
    },
  };
};

/** What the graph around it wants signed is signed inside as well, on top of what its own graph wants. */
const inheritedDemand = (inner: Graph, outer: Graph): Pick<Graph, "passkey_for"> => {
  const demands = [inner.passkey_for, outer.passkey_for].flatMap((demand) => demand ?? []);
  const [widest] = demands.toSorted((a, b) => Number(b === "high_risk") - Number(a === "high_risk"));

  return widest ? { passkey_for: widest } : {};
};

const checkersOf = ({ graph, agents }: PublishedGraph) =>
  agents.filter(({ id }) => graph.verification?.checks.some((check) => check.agent_id === id));

const children = new WeakMap<PublishedGraph, Map<string, PublishedGraph>>();

/** One object per place, because what is computed of a graph is kept by the object. */
const inside = (published: PublishedGraph, nodeId: string): PublishedGraph | null => {
  const known = children.get(published) ?? new Map<string, PublishedGraph>();
  children.set(published, known);
  const found = known.get(nodeId);
  if (found) return found;
  const child = childOf(published, nodeId);
  if (!child) return null;
  // The guardrails of the graph around it hold inside as well.
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

/** What is executed inside these subgraph nodes, outermost first. */
export const publishedIn = (root: PublishedGraph, nodes: readonly string[]): PublishedGraph =>
  nodes.reduce((published, node) => inside(published, node) ?? published, root);

/** What is executed where the run is now: inside its subgraphs, or where the effect lies that is being undone. */
export const publishedHere = (root: PublishedGraph, state: Pick<RunState, "frames" | "unwinding" | "compensation">): PublishedGraph =>
  publishedIn(root, nextUndo(state)?.frames ?? state.frames.map((frame) => frame.node));

/** A node's name among all nodes of all subgraphs: `outer/inner`. */
export const nodeKey = (state: Pick<RunState, "frames">, node: string): string =>
  [...state.frames.map((frame) => frame.node), node].join("/");

/** The node with this key, wherever it lies. */
export const nodeByKey = (root: PublishedGraph, key: string): GraphNode | undefined => {
  const names = key.split("/");

  return publishedIn(root, names.slice(0, -1)).graph.nodes.find((node) => node.id === names.at(-1));
};

/** Before the path of a memory cell in the ledger: whose memory it is. Nothing for the run's own. */
export const framePrefix = (frames: readonly { readonly activation: number }[]): string => {
  const innermost = frames.at(-1);

  return innermost ? `@${innermost.activation}/` : "";
};

export const withoutPrefix = (path: string): string => path.replace(/^@[0-9]+\//u, "");

/** The state around the innermost subgraph, as it comes back when that ends. */
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

/** The state inside a subgraph at its start: nothing in memory, under everything that its being there depended on. */
export const enterFrame = (state: RunState, frame: Omit<RunState["frames"][number], "outer">): RunState => {
  const label = controlLabel(state);
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
