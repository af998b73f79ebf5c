import type { GraphEdge, GraphNode, PublishedGraph } from "@/lib/graph/document";
import { mapsItems } from "@/lib/graph/kind-of";
import { listDeclaredTargets } from "@/lib/graph/refs";
import { joinLabels } from "@/lib/graph/label";
import { isJsonObject, ownMember, type Json } from "@/lib/json";
import type { RunEvent } from "@/lib/engine/event";
import { openGate } from "@/lib/engine/decide/gate";
import type { Route, Way } from "@/lib/engine/decide/route";
import type { Write } from "@/lib/engine/decide/verdict";
import type { Proposal } from "@/lib/engine/proposal";
import { findAside, findCellsAt, getKnownValue, type Cell, type GateState, type RunState } from "@/lib/engine/state";
import { computeTransitionDigest, buildTransition } from "@/lib/engine/ledger/transition";

const MOST_KEYS = 200;

/** Returns whether a route needs a person. False conditions choose too. */
export const mustHold = (published: PublishedGraph, route: Route): boolean =>
  published.graph.strict_taint && route.label.integrity === "untrusted";

const pendingOf = (way: Way): Json => {
  if ("to" in way) return { route: { edge: way.edge, to: way.to } };
  if ("open" in way) return { route: { open: way.open.map(({ node, edge }) => ({ node, edge })) } };

  return { route: "end" in way ? { end: true } : { failed: way.failed } };
};

const sentenceOf = (way: Way, node: GraphNode): string => {
  const from = node.title || node.id;
  if ("to" in way) return `Untrusted data would lead from ${from} to ${way.to}${way.edge === null ? "" : ` along ${way.edge}`}`;
  if ("open" in way) return `Untrusted data chooses the nodes after ${from}: ${way.open.map(({ node: to }) => to).join(", ")}`;

  return "end" in way ? `Untrusted data would end the run at ${from}` : `Untrusted data would make the route from ${from} fail`;
};

/** Uncommitted cells have a place but no commitment. */
const basisOf = (state: RunState, cell: Cell) => ({
  path: cell.path,
  seq: cell.seq,
  commitment: cell.seq === state.version ? null : cell.commitment,
});

/** Opens a decided route's gate. */
export const holdRoute = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  node: GraphNode,
  route: Route,
): { events: RunEvent[]; writes: Write[] } => {
  const pending = pendingOf(route.way);
  // Engine cells never change; only memory becomes stale.
  const memory = route.looked.filter((cell) => !cell.path.startsWith("$"));
  const reads = memory.map((cell) => basisOf(state, cell));
  const keys = [...new Set(memory.map((cell) => cell.path))];

  return openGate(proposal, {
    node,
    reason: "tainted_route",
    prompt: sentenceOf(route.way, node),
    transition: buildTransition(published, state, node, { kind: "route", value: pending, call: String(state.activation) }, { reads }),
    pending,
    label: route.label,
    reviewKeys: keys.length > MOST_KEYS ? [...new Set(keys.map((key) => key.split(".")[0] ?? ""))] : keys,
  });
};

const ITEMS = "items";

export const isItemsGate = (pending: Json): boolean => ownMember(pending, ITEMS) !== undefined;

/** Holds a map over an untrusted list once per visit. */
export const holdItems = (
  published: PublishedGraph,
  state: RunState,
  proposal: Proposal,
  node: GraphNode,
): { events: RunEvent[]; writes: Write[] } | null => {
  if (!published.graph.strict_taint || !mapsItems(node) || !("from" in node.config.items)) return null;
  const { from } = node.config.items;
  const cells = findCellsAt(state.cells, from);
  const label = joinLabels(cells.map((cell) => cell.label));
  if (label.integrity !== "untrusted") return null;
  const pending = { [ITEMS]: from };
  const reads = cells.map((cell) => basisOf(state, cell));
  const transition = buildTransition(published, state, node, { kind: "items", value: pending, call: String(state.activation) }, { reads });
  const digest = computeTransitionDigest(transition);
  const isAllowed = Object.values(state.gates).some((held) => held.status === "approved" && held.gate.transition_digest === digest);

  return isAllowed
    ? null
    : openGate(proposal, {
        node,
        reason: "tainted_route",
        prompt: `Untrusted data would say how often ${node.config.worker_node} works for ${node.title || node.id}`,
        transition,
        pending,
        label,
        reviewKeys: [from],
      });
};

const drawnFrom = (published: PublishedGraph, from: string, edge: Json | undefined, to: Json | undefined): GraphEdge | undefined =>
  published.graph.edges.find((drawn) => drawn.source === from && drawn.id === edge && drawn.target === to);

/** Returns the held edge, end, or failure. */
export const getHeldRoute = (published: PublishedGraph, state: RunState, { gate }: GateState): Way => {
  const value = getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1));
  const route = isJsonObject(value) ? value["route"] : undefined;
  const held = isJsonObject(route) ? route : {};
  const open = Array.isArray(held["open"]) ? (held["open"] as readonly Json[]) : [];
  const ahead = open.flatMap((way) => drawnFrom(published, gate.node, ownMember(way, "edge"), ownMember(way, "node")) ?? []);
  if (ahead.length > 0) return { open: ahead.map(({ id, target }) => ({ node: target, edge: id })) };
  const edge = drawnFrom(published, gate.node, held["edge"], held["to"]);
  if (edge) return { to: edge.target, edge: edge.id };
  const node = published.graph.nodes.find((candidate) => candidate.id === gate.node);
  const declared = node && listDeclaredTargets(node).find((to) => to === held["to"]);
  if (declared !== undefined) return { to: declared, edge: null };
  if (held["end"] === true && published.graph.end_nodes.includes(gate.node)) return { end: true };

  return { failed: held["failed"] === "route_missing" ? "route_missing" : "route_failed" };
};
