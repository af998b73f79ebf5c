import { GROUP, type CanvasCommands, type CanvasTools } from "@/components/canvas/commands/canvas-tools";
import { getProblemId } from "@/lib/graph/problems/problem";
import { focusSoon } from "./focus-soon";
import { openForm } from "./open-form";
import { placeInHand, placeOf, isSamePlace, getSelectedPlace, selectPlace, type Place } from "./place";

const NOTHING_CHOSEN = "Select a node or an edge first";
const NO_NODE = "Select a node first";

const nodeInHand = ({ store }: CanvasTools) => {
  const place = placeInHand(store);

  return place?.type === "node" ? store.getState().history.document.nodes.find(({ id }) => id === place.id) : undefined;
};

const problemOf = ({ store }: CanvasTools, { type, id }: Place) =>
  store.getState().findings.problems.find((found) => (type === "node" ? found.node : found.edge) === id);

const showProblem = (tools: CanvasTools): void => {
  const place = placeInHand(tools.store);
  const found = place && problemOf(tools, place);
  if (!found) return;
  const selected = getSelectedPlace(tools.store);
  if (!selected || !isSamePlace(selected, place)) selectPlace(tools.store, place);
  const problem = getProblemId(found);
  void tools.setPlace({ panel: "problems", problem });
  focusSoon(() => document.querySelector<HTMLElement>(`[data-problem="${CSS.escape(problem)}"] button`));
};

const toggleEnd = (tools: CanvasTools): void => {
  const node = nodeInHand(tools);
  const { history, edit } = tools.store.getState();
  const { end_nodes: ends } = history.document;
  if (!node) return;
  edit([{ op: "settings", settings: { end_nodes: ends.includes(node.id) ? ends.filter((id) => id !== node.id) : [...ends, node.id] } }]);
};

const makeStart = (tools: CanvasTools): void => {
  const node = nodeInHand(tools);
  if (node) tools.store.getState().edit([{ op: "settings", settings: { start_node: node.id } }]);
};

const addHere = ({ store, setPlace }: CanvasTools): void => {
  const place = placeInHand(store);
  if (place) selectPlace(store, place);
  void setPlace({ dialog: "add" });
};

const moveWay = ({ store }: CanvasTools, by: -1 | 1): void => {
  const place = placeInHand(store);
  if (place?.type === "edge") store.getState().edit([{ op: "move_edge", edge: place.id, by }]);
};

const stuck = ({ store }: CanvasTools, by: -1 | 1): string | null => {
  const place = placeInHand(store);
  const { edges } = store.getState().history.document;
  const edge = edges.find(({ id }) => place?.type === "edge" && id === place.id);
  if (!edge) return "Select an edge first";
  const ways = edges.filter(({ source }) => source === edge.source);
  const next = ways[ways.indexOf(edge) + by];

  return next ? null : by < 0 ? "Already first" : "Already last";
};

const isOnEdge = (): boolean => placeOf(document.activeElement)?.type === "edge";

export const placeCommands: CanvasCommands = (tools) => {
  const { store } = tools;
  const readOnly = () => store.getState().readOnly;
  const withNode = () => readOnly() ?? (nodeInHand(tools) ? null : NO_NODE);
  const inHand = (act: (place: Place) => void) => () => {
    const place = placeInHand(store);
    if (place) act(place);
  };

  return [
    {
      keys: ["Enter"],
      label: "Open its form",
      group: GROUP,
      menus: ["node", "edge"],
      // Enter needs a focused node or edge.
      when: () => placeOf(document.activeElement) !== null,
      whyNot: () => (placeInHand(store) ? null : NOTHING_CHOSEN),
      run: inHand((place) => openForm(tools, place)),
    },
    {
      keys: ["F2"],
      label: "Rename",
      group: GROUP,
      menus: ["node"],
      whyNot: withNode,
      run: inHand((place) => openForm(tools, place, "Title")),
    },
    {
      keys: ["a"],
      label: "Add a node here",
      group: GROUP,
      menus: ["node", "edge"],
      whyNot: readOnly,
      run: () => addHere(tools),
    },
    {
      keys: ["Alt+ArrowUp"],
      label: "Move edge up",
      group: GROUP,
      menus: ["edge"],
      when: isOnEdge,
      whyNot: () => readOnly() ?? stuck(tools, -1),
      run: () => moveWay(tools, -1),
    },
    {
      keys: ["Alt+ArrowDown"],
      label: "Move edge down",
      group: GROUP,
      menus: ["edge"],
      when: isOnEdge,
      whyNot: () => readOnly() ?? stuck(tools, 1),
      run: () => moveWay(tools, 1),
    },
    {
      keys: ["s"],
      label: "Start the run here",
      group: GROUP,
      menus: ["node"],
      whyNot: () =>
        withNode() ?? (nodeInHand(tools)?.id === store.getState().history.document.start_node ? "The run already starts here" : null),
      run: () => makeStart(tools),
    },
    { keys: ["e"], label: "Mark or unmark as end node", group: GROUP, menus: ["node"], whyNot: withNode, run: () => toggleEnd(tools) },
    {
      keys: ["p"],
      label: "Show its problems",
      group: GROUP,
      menus: ["node", "edge"],
      whyNot: () => {
        const place = placeInHand(store);
        if (!place) return NOTHING_CHOSEN;

        return problemOf(tools, place) ? null : "It has no problems";
      },
      run: () => showProblem(tools),
    },
  ];
};
