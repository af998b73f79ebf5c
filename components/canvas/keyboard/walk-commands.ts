import { GROUP } from "@/components/canvas/commands/canvas-tools";
import { bringIntoView } from "@/components/canvas/flow/bring-into-view";
import { GRID_PX } from "@/components/canvas/flow/geometry";
import type { Shortcut } from "@/components/shortcuts/registry";
import { getNodeName } from "@/lib/graph/problems/facts";
import { runOrder } from "@/lib/graph/run-order";
import { DIRECTIONS, walkFrom, type Direction } from "@/lib/graph/walk";
import { announce } from "./announce";
import { findEntrance, focusPlace, goTo, type GoTools } from "./go-to";
import { placeOf, type Place } from "./place";

const STEP: Record<Direction, { readonly x: number; readonly y: number }> = {
  up: { x: 0, y: -GRID_PX },
  down: { x: 0, y: GRID_PX },
  left: { x: -GRID_PX, y: 0 },
  right: { x: GRID_PX, y: 0 },
};

const FAR = 10;

const TOWARDS: Record<Direction, string> = { up: "above", down: "below", left: "left of", right: "right of" };

const directionOf = (key: string): Direction => DIRECTIONS.find((direction) => key.toLowerCase().endsWith(`arrow${direction}`)) ?? "right";

const drawing = (): Element | null => document.activeElement?.closest(".react-flow") ?? null;

const placeHere = (): Place | null => (drawing() ? placeOf(document.activeElement) : null);

const isOnDrawing = (): boolean => placeHere() !== null || (drawing() !== null && drawing() === document.activeElement);

const isOnNode = (): boolean => placeHere()?.type === "node";

/** Goes to an end, or the previous or next sibling edge. */
const fromEdge = ({ store }: GoTools, id: string, direction: Direction): Place | null => {
  const { edges } = store.getState().history.document;
  const edge = edges.find((other) => other.id === id);
  if (!edge) return null;
  if (direction === "left") return { type: "node", id: edge.source };
  if (direction === "right") return { type: "node", id: edge.target };
  const ways = edges.filter(({ source }) => source === edge.source);
  const next = ways[ways.indexOf(edge) + (direction === "up" ? -1 : 1)];

  return next ? { type: "edge", id: next.id } : null;
};

const fromNode = ({ store }: GoTools, id: string, direction: Direction): Place | null => {
  const next = walkFrom(store.getState().history.document, id, direction);

  return next === null ? null : { type: "node", id: next };
};

const nameOf = ({ store }: GoTools, { type, id }: Place): string => {
  const node = store.getState().history.document.nodes.find((other) => type === "node" && other.id === id);

  return node ? getNodeName(node) : "it";
};

/** @param isExtending adds to the selection */
const walk = (tools: GoTools, key: string, isExtending: boolean): void => {
  const here = placeHere();
  if (!here) {
    const place = findEntrance(tools.store, null);
    if (place) goTo(tools, place);

    return;
  }
  const direction = directionOf(key);
  const next = here.type === "node" ? fromNode(tools, here.id, direction) : fromEdge(tools, here.id, direction);
  if (!next) announce(`Nothing is ${TOWARDS[direction]} ${nameOf(tools, here)}.`);
  else if (isExtending && next.type === "node") {
    const { selection, select } = tools.store.getState();
    select({ nodes: [...new Set([...selection.nodes, here.id, next.id])] });
    focusPlace(tools, next);
  } else goTo(tools, next);
};

const move = ({ store, flow }: GoTools, key: string, times: number): void => {
  const here = placeHere();
  const { selection, history, readOnly, edit } = store.getState();
  // Some of these keys would navigate back.
  if (readOnly !== null) announce(`Read only: ${readOnly}`);
  if (!here || readOnly !== null) return;
  const moving = new Set(selection.nodes.includes(here.id) ? selection.nodes : [here.id]);
  const step = STEP[directionOf(key)];
  const positions = Object.fromEntries(
    history.document.nodes.flatMap(({ id, position }) =>
      moving.has(id) ? [[id, { x: position.x + step.x * times, y: position.y + step.y * times }]] : [],
    ),
  );
  // Consecutive moves are one undo step.
  edit([{ op: "move_nodes", positions }], `move ${[...moving].join(" ")}`);
  const place = positions[here.id];
  if (place) bringIntoView(flow, place);
};

const waysOut = ({ store }: GoTools): readonly Place[] => {
  const here = placeHere();
  const { edges } = store.getState().history.document;
  const from = here?.type === "edge" ? edges.find(({ id }) => id === here.id)?.source : here?.id;

  return edges.flatMap(({ id, source }) => (source === from ? [{ type: "edge" as const, id }] : []));
};

const nextWay = (tools: GoTools): void => {
  const here = placeHere();
  const ways = waysOut(tools);
  const next = ways[(ways.findIndex(({ id }) => id === here?.id) + 1) % Math.max(1, ways.length)];
  if (next) goTo(tools, next);
};

const toEnd = (tools: GoTools, at: "first" | "last"): void => {
  const { nodes } = runOrder(tools.store.getState().history.document);
  const node = nodes.at(at === "first" ? 0 : -1);
  if (node) goTo(tools, { type: "node", id: node.id });
};

const toggle = ({ store }: GoTools): void => {
  const here = placeHere();
  if (here?.type !== "node") return;
  const { selection, select } = store.getState();
  const isSelected = selection.nodes.includes(here.id);
  select({ nodes: isSelected ? selection.nodes.filter((id) => id !== here.id) : [...selection.nodes, here.id] });
  announce(isSelected ? "Not selected." : "Selected.");
};

const ON_CANVAS = `${GROUP}: on the canvas`;

/** Navigation for all canvases, including read-only ones. */
export const walkCommands = (tools: GoTools): readonly Shortcut[] => [
  {
    keys: ["Arrow"],
    label: "Follow an edge, or go to the nearest node",
    group: ON_CANVAS,
    when: isOnDrawing,
    run: (key) => walk(tools, key, false),
  },
  {
    keys: ["Shift+Arrow"],
    label: "Follow an edge and extend the selection",
    group: ON_CANVAS,
    when: isOnNode,
    run: (key) => walk(tools, key, true),
  },
  { keys: [" "], label: "Add the node to the selection, or remove it", group: ON_CANVAS, when: isOnNode, run: () => toggle(tools) },
  {
    keys: ["w"],
    label: "Cycle through its outgoing edges",
    group: ON_CANVAS,
    when: isOnDrawing,
    whyNot: () => (waysOut(tools).length > 0 ? null : "It has no outgoing edges"),
    run: () => nextWay(tools),
  },
  { keys: ["Home"], label: "Go to the start node", group: ON_CANVAS, when: isOnDrawing, run: () => toEnd(tools, "first") },
  { keys: ["End"], label: "Go to the last node", group: ON_CANVAS, when: isOnDrawing, run: () => toEnd(tools, "last") },
  { keys: ["Alt+Arrow"], label: "Move the node", group: ON_CANVAS, when: isOnNode, run: (key) => move(tools, key, 1) },
  { keys: ["Alt+Shift+Arrow"], label: "Move the node far", group: ON_CANVAS, when: isOnNode, run: (key) => move(tools, key, FAR) },
];
