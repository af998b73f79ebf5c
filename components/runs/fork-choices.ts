/** Possible changes of a fork. */
import type { ForkChange } from "@/lib/engine/forks/fork-change";
import { isTerminal } from "@/lib/engine/event";
import { findAside, type RunState } from "@/lib/engine/state";
import { listMemoryRows } from "./memory-rows";
import type { NodeNames } from "./node-names";
import { getShownAt, toShown, type Shown } from "@/components/values/visible-value";
import type { RunGraph } from "./types";

export type Choice = {
  readonly value: string;
  readonly label: string;
  readonly text?: string;
};

export type ForkScene = {
  readonly graph: RunGraph;
  readonly names: NodeNames;
  readonly state: RunState;
  readonly begun: RunState;
  readonly models: readonly Choice[];
  readonly versions: readonly Choice[];
};

const textOf = (shown: Shown): string => (shown.kind === "value" ? JSON.stringify(shown.value, null, 2) : "");

const memoryChoices = ({ graph, state }: ForkScene): Choice[] => {
  const declared = state.frames.length === 0 ? graph.memory.filter((key) => !key.protected).map((key) => key.key) : [];
  const paths = new Set([...declared, ...listMemoryRows(state).map((row) => row.path)]);

  return [...paths].toSorted().map((path) => ({ value: path, label: path, text: textOf(getShownAt(state.cells, path)) }));
};

const routeChoices = ({ graph, names, state }: ForkScene): Choice[] => {
  // Its route is fixed once the node has acted.
  if (state.activation !== state.version - 1) return [];
  const version = state.frames.at(-1)?.version;
  const edges = (version === undefined ? graph : graph.subgraphs.find((used) => used.version === version))?.edges ?? [];
  const left = new Set(edges.filter((edge) => edge.target === state.currentNode).map((edge) => edge.source));
  const name = names.at(state.frames);

  return edges
    .filter((edge) => left.has(edge.source) && edge.target !== state.currentNode)
    .map((edge) => ({ value: edge.id, label: `${name(edge.source)} → ${name(edge.target)}` }));
};

const resultChoices = ({ state }: ForkScene): Choice[] =>
  Object.entries(state.effects)
    .filter(([, effect]) => effect.activation === state.activation && effect.outcome !== "abandoned")
    .map(([id, { effect, seq }]) => {
      const answer = findAside(state, `$result.${id}`).at(-1);
      const label = `${effect.server}.${effect.tool}, called in record ${seq}`;

      return { value: id, label, text: answer ? textOf(toShown(answer)) : "" };
    });

const gateChoices = ({ state }: ForkScene): Choice[] =>
  Object.values(state.gates)
    .filter((gate) => gate.status === "open")
    .map(({ gate }) => ({ value: gate.id, label: gate.prompt }));

/** Subjects of a change; empty: not possible here. */
export const listChoicesOf = (kind: ForkChange["type"], scene: ForkScene): readonly Choice[] => {
  switch (kind) {
    case "none":
    case "strict_taint":
      return [];
    case "model":
      return scene.models;
    case "version":
      return scene.versions;
    case "prompt":
      return scene.graph.agents.map((agent) => ({ value: agent, label: agent }));
    case "input":
      return listMemoryRows(scene.begun).map(({ path, shown }) => ({ value: path, label: path, text: textOf(shown) }));
    case "memory":
      return memoryChoices(scene);
    case "route":
      return routeChoices(scene);
    case "tool_result":
      return resultChoices(scene);
    case "decision":
      return gateChoices(scene);
    default:
      return kind satisfies never;
  }
};

export const NO_CHOICE = {
  none: "",
  strict_taint: "",
  model: "No models are configured.",
  version: "The graph has no published versions.",
  prompt: "This version has no agents.",
  input: "This run was started without inputs.",
  memory: "Memory is empty after this record.",
  route: "The route can be changed only right after the record that took it, and only if the node has another outgoing edge.",
  tool_result: "No tool result is in use after this record. Go to a record with a tool call.",
  decision: "No gate is open after this record. Go to a record that waits for a person.",
} as const satisfies Record<ForkChange["type"], string>;

/** Explains why the run can't continue here. Inputs restart it. */
export const explainDeadEnd = (kind: ForkChange["type"], state: RunState): string | null =>
  kind !== "input" && (isTerminal(state.status) || state.unwinding !== null)
    ? "The run has nothing left to do after this record. Go to an earlier record."
    : null;
