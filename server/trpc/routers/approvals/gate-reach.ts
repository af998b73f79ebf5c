import { analyse } from "@/lib/graph/analyse";
import type { Reachable } from "@/lib/graph/analyse/blast";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Sink } from "@/lib/graph/analyse/sinks";
import { sortWorstFirst } from "@/lib/graph/analyse/labels";
import type { GraphNode, PinnedTool, PublishedGraph } from "@/lib/graph/document";
import { asksPerson } from "@/lib/graph/kind-of";
import type { Integrity } from "@/lib/graph/label";
import { listBelow } from "@/lib/graph/problems/children";
import { changesSomething, collectFacts, getNodeName, type Facts } from "@/lib/graph/problems/facts";
import { asksByItself } from "@/lib/graph/problems/gates";
import { getToolId } from "@/lib/graph/tool-ref";
import type { Gate } from "@/lib/engine/event";

const MOST_LISTED = 12;

export type GateReach = {
  readonly call: Pick<PinnedTool, "server" | "tool" | "effect" | "outward"> | null;
  readonly writes: readonly string[];
  readonly integrity: Integrity;
  /** Analysis skips reads and undos. */
  readonly covered: boolean;
  /** Also behind an approval without a node. */
  readonly flows: readonly Pick<Flow, "source" | "sink" | "witness">[];
  /** Worst first. */
  readonly steers: readonly Reachable[];
  readonly more: number;
  /** `certain`: every path to an end has one. */
  readonly next: { readonly gates: readonly string[]; readonly certain: boolean };
  readonly titles: Readonly<Record<string, string>>;
};

const asks = (node: GraphNode): boolean => asksPerson(node) || asksByItself(node);

const gatesAfter = ({ graph, nodes, topology }: Facts, start: string): GateReach["next"] => {
  const ways = (id: string) =>
    asksPerson(nodes.get(id)) ? (topology.out.get(id) ?? []).map((edge) => edge.target) : (topology.successors.get(id) ?? []);
  const ends = new Set(graph.end_nodes);
  const seen = new Set<string>();
  const gates: string[] = [];
  const waiting = [...ways(start)];
  let isCertain = !ends.has(start);
  for (const id of waiting) {
    const node = nodes.get(id);
    if (!node || seen.has(id)) continue;
    seen.add(id);
    if (asks(node)) gates.push(id);
    else {
      isCertain &&= !ends.has(id);
      waiting.push(...ways(id));
    }
  }

  return { gates, certain: isCertain && gates.length > 0 };
};

type Asked = Pick<Gate, "node" | "reason"> & {
  readonly transition: { readonly node: string; readonly effect: { readonly server: string; readonly tool: string } | null };
};

const isAbout = ({ node, transition }: Asked, { sink, gates }: Pick<Flow, "sink" | "gates">): boolean => {
  const { effect } = transition;
  if (effect) return sink.kind === "call" && sink.node === transition.node && sink.tool === getToolId(effect.server, effect.tool);

  return (sink.node === transition.node && sink.kind !== "call") || (node === transition.node && gates.includes(node));
};

const isSame = (a: Sink, b: Sink): boolean => JSON.stringify(a) === JSON.stringify(b);

const nodesIn = ({ flows, steers, next }: Pick<GateReach, "flows" | "steers" | "next">): string[] => [
  ...flows.flatMap(({ source, sink, witness }) => [
    ...("node" in source ? [source.node] : []),
    sink.node,
    ...witness.flatMap((step) => ("node" in step ? [step.node] : [])),
  ]),
  ...steers.flatMap(({ sink, gates }) => [sink.node, ...gates]),
  ...next.gates,
];

/** Computes an approval's reach from the frozen graph, without values; null for an unknown node. */
export const computeGateReach = (published: PublishedGraph, asked: Asked, integrity: Integrity): GateReach | null => {
  const { graph, agents, tools } = published;
  const { transition } = asked;
  const context = { agents, tools, versions: listBelow(published) };
  const facts = collectFacts(graph, context);
  if (!facts.nodes.has(transition.node)) return null;
  const { effect } = transition;
  const tool = tools.find((pinned) => pinned.server === effect?.server && pinned.tool === effect.tool);
  const { flows, blastRadius } = analyse(graph, context);
  const covered = asked.reason !== "undo" && (!effect || (tool !== undefined && (changesSomething(tool.effect) || tool.outward)));
  const about = covered ? flows.filter((flow) => flow.kind === "untrusted" && isAbout(asked, flow)) : [];
  const { writes, reachable } = blastRadius({ node: transition.node });
  const own = (sink: Sink) =>
    about.some((flow) => isSame(flow.sink, sink)) || (effect !== null && sink.kind === "call" && sink.node === transition.node);
  const steers = asked.reason === "undo" ? [] : sortWorstFirst(reachable.filter(({ sink }) => !own(sink)));
  const listed = {
    flows: about.slice(0, MOST_LISTED).map(({ source, sink, witness }) => ({ source, sink, witness })),
    steers: steers.slice(0, MOST_LISTED),
    next: gatesAfter(facts, transition.node),
  };
  const titles = [...new Set([transition.node, ...nodesIn(listed)])].flatMap((id) => {
    const node = facts.nodes.get(id);

    return node ? [[id, getNodeName(node)] as const] : [];
  });

  return {
    call: tool ? { server: tool.server, tool: tool.tool, effect: tool.effect, outward: tool.outward } : null,
    writes: asked.reason === "undo" ? [] : writes,
    integrity,
    covered,
    ...listed,
    more: about.length - listed.flows.length + (steers.length - listed.steers.length),
    titles: Object.fromEntries(titles),
  };
};
