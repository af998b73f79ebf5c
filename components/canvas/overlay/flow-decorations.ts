import { FADED, type Decoration, type Decorations } from "@/components/canvas/flow/decoration";
import type { MarkKind } from "@/components/ui/marks/marks";
import { listMoves, listPlaces } from "@/lib/graph/analyse/drawn-route";
import type { Flow } from "@/lib/graph/analyse/flows";
import type { Verdict } from "@/lib/graph/analyse/verdict";
import type { Graph } from "@/lib/graph/document";
import type { UnreachableEffect } from "@/lib/graph/problems/effects";
import { buildTopology, type Topology } from "@/lib/graph/topology";
import { listDrawnLines, type DrawnLines } from "./drawn-edges";

/** Drawn without a selection; the list has all. */
const MOST_DRAWN = 200;

const ARRIVES: Record<Verdict, Decoration> = {
  open: { tone: "danger", mark: "refused", text: "No approval", said: ", untrusted data acts here without an approval" },
  noted: { tone: "warning", mark: "tainted", text: "Influenced", said: ", influenced by untrusted data" },
  held: { tone: "good", mark: "waiting", text: "Needs approval", said: ", untrusted data acts here after an approval" },
};
const UNCLEARED: Decoration = {
  tone: "danger",
  mark: "refused",
  text: "Not cleared",
  said: ", receives data it is not cleared for",
};
const ASKS: Decoration = { tone: "good", mark: "waiting", text: "Needs approval", said: ", needs approval" };

const CARRIES: Record<Flow["kind"], { readonly mark: MarkKind; readonly from: string; readonly on: string; readonly what: string }> = {
  untrusted: { mark: "tainted", from: "Untrusted source", on: "Carries it", what: "untrusted data" },
  confidential: { mark: "hidden", from: "Confidential source", on: "Carries it", what: "confidential data" },
};

const arrivalOf = ({ kind, verdict }: Flow): Decoration => (kind === "confidential" ? UNCLEARED : ARRIVES[verdict]);

const passes = ({ kind }: Flow, isFirst: boolean): Decoration => {
  const { mark, from, on, what } = CARRIES[kind];

  return {
    tone: kind === "untrusted" ? "warning" : "hidden",
    mark,
    text: isFirst ? from : on,
    said: isFirst ? `, ${what} enters here` : `, carries ${what}`,
  };
};

const nodesOf = (flow: Flow): Map<string, Decoration> => {
  const places = listPlaces(flow.witness);
  const nodes = new Map<string, Decoration>();
  for (const gate of flow.gates) nodes.set(gate, ASKS);
  for (const [index, { node }] of places.entries()) if (!nodes.has(node)) nodes.set(node, passes(flow, index === 0));
  nodes.set(flow.sink.node, arrivalOf(flow));

  return nodes;
};

const lineOf = (flow: Flow, isLast: boolean): Decoration => {
  const { tone } = arrivalOf(flow);
  const word = isLast && tone === "danger" ? { text: arrivalOf(flow).text?.toLowerCase() ?? "" } : {};

  return { tone, said: `, carries ${CARRIES[flow.kind].what}`, ...word };
};

type Drawing = { readonly graph: Graph; readonly topology: Topology; readonly lines: DrawnLines };

const edgesOf = ({ graph, topology, lines }: Drawing, flow: Flow): Map<string, Decoration & { readonly step: number }> => {
  const moves = listMoves(graph, topology, flow);
  const edges = new Map<string, Decoration & { readonly step: number }>();
  for (const { from, to, step } of moves) {
    const decoration = { ...lineOf(flow, to === flow.sink.node), step };
    for (const id of [...lines.between(from, to), ...lines.between(to, from)]) edges.set(id, decoration);
  }

  return edges;
};

const RANKS: Record<Decoration["tone"], number> = { danger: 5, accent: 4, good: 3, warning: 2, hidden: 2, plain: 1, faded: 0 };

const worse = (a: Decoration | undefined, b: Decoration): Decoration => (a && RANKS[a.tone] >= RANKS[b.tone] ? a : b);

/** Fades everything else. */
const overFaded = ({ graph, lines }: Drawing, { nodes, edges }: Decorations): Decorations => ({
  nodes: new Map(graph.nodes.map(({ id }) => [id, nodes.get(id) ?? FADED])),
  edges: new Map(lines.all.map(({ id }) => [id, edges.get(id) ?? FADED])),
});

const drawingOf = (graph: Graph): Drawing => ({ graph, topology: buildTopology(graph), lines: listDrawnLines(graph) });

export const decorateFlows = (graph: Graph, flows: readonly Flow[]): Decorations => {
  const drawing = drawingOf(graph);
  const nodes = new Map<string, Decoration>();
  const edges = new Map<string, Decoration>();
  for (const flow of flows.slice(0, MOST_DRAWN)) {
    for (const [id, decoration] of nodesOf(flow)) nodes.set(id, worse(nodes.get(id), decoration));
    for (const [id, { step: _step, ...decoration }] of edgesOf(drawing, flow)) edges.set(id, worse(edges.get(id), decoration));
  }

  return overFaded(drawing, { nodes, edges });
};

/** Decorates one flow. @param at highlighted step; null: all */
export const decorateFlow = (graph: Graph, flow: Flow, at: number | null): Decorations => {
  const drawing = drawingOf(graph);
  const numbered = new Map<string, Decoration>();
  const steps = new Map(listPlaces(flow.witness).map(({ node, step }) => [node, step]));
  const order = [...new Set(listPlaces(flow.witness).map(({ node }) => node))];
  for (const [id, decoration] of nodesOf(flow)) {
    const number = order.indexOf(id) + 1;
    const text = number === 0 ? decoration.text : `${number} · ${decoration.text ?? ""}`;
    const isHere = at !== null && steps.get(id) === at;
    numbered.set(id, { ...decoration, ...(text === undefined ? {} : { text }), ...(isHere ? { tone: "accent" } : {}) });
  }
  const edges = new Map<string, Decoration>(
    [...edgesOf(drawing, flow)].map(([id, { step, ...decoration }]) => {
      const isHere = at !== null && (step === at || step - 1 === at);

      return [id, isHere ? { ...decoration, tone: "accent" } : decoration];
    }),
  );

  return overFaded(drawing, { nodes: numbered, edges });
};

const CUT_OFF: Decoration = {
  tone: "warning",
  mark: "waiting",
  text: "Unreachable",
  said: ", changes data outside the run, but no path from the start reaches it",
};

/** Marks unreachable effects: they are not safe, they never happen. */
export const withUnreachable = (base: Decorations, unreachable: readonly UnreachableEffect[]): Decorations =>
  unreachable.length === 0
    ? base
    : { ...base, nodes: new Map([...base.nodes, ...unreachable.map(({ node }) => [node.id, CUT_OFF] as const)]) };

export const withTold = (base: Decorations, told: ReadonlyMap<string, "secret" | "pii">): Decorations => ({
  ...base,
  nodes: new Map(
    [...base.nodes].map(([id, decoration]) => {
      const level = told.get(id);
      if (level === undefined || decoration.tone !== "faded") return [id, decoration];
      const what = level === "secret" ? "secrets" : "personal data";

      return [id, { tone: "hidden", mark: "hidden", text: `Receives ${what}`, said: `, receives ${what}` }];
    }),
  ),
});
