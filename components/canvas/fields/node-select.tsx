"use client";

import type { Graph, GraphNode } from "@/lib/graph/document";
import { getNodeName } from "@/lib/graph/facts/facts";
import { ChoiceOrNone } from "./choice-or-none";
import { Chips } from "./chips";

type Among = {
  readonly graph: Graph;
  readonly of: string;
  readonly accepts?: (node: GraphNode) => boolean;
};

const itemsOf = ({ graph, of, accepts = () => true }: Among) =>
  graph.nodes.filter((node) => node.id !== of && accepts(node)).map((node) => ({ value: node.id, label: getNodeName(node) }));

/** Nodes without incoming edges. */
export const listLooseNodes = (graph: Graph): GraphNode[] => {
  const targets = new Set(graph.edges.map((edge) => edge.target));

  return graph.nodes.filter((node) => node.id !== graph.start_node && !targets.has(node.id));
};

type SelectProps = Among & {
  readonly label: string;
  readonly hint?: string;
  readonly value: string | undefined;
  readonly none?: string;
  readonly onChange: (node: string | undefined) => void;
};

export const NodeSelect = ({ graph, of, accepts, ...field }: SelectProps) => (
  <ChoiceOrNone {...field} items={itemsOf({ graph, of, ...(accepts ? { accepts } : {}) })} />
);

type ListProps = Among & {
  readonly label: string;
  readonly hint?: string;
  readonly nodes: readonly string[];
  readonly onChange: (nodes: string[]) => void;
  readonly lastStays: string;
};

export const NodeList = ({ graph, of, label, hint, nodes, onChange, lastStays }: ListProps) => {
  const names = new Map(graph.nodes.map((node) => [node.id, getNodeName(node)]));
  const others = itemsOf({ graph, of }).filter((item) => !nodes.includes(item.value));

  return (
    <div className="flex flex-col gap-1.5">
      <ChoiceOrNone
        label={label}
        hint={hint}
        none={others.length === 0 ? "No other node" : "Add a node…"}
        items={others}
        value={undefined}
        onChange={(id) => {
          if (id !== undefined) onChange([...nodes.filter((node) => names.has(node)), id]);
        }}
      />
      <Chips
        label={label}
        items={nodes.map((id) => ({ value: id, label: names.get(id) ?? `${id} (missing)` }))}
        onRemove={(id) => onChange(nodes.filter((node) => node !== id))}
        lastStays={lastStays}
      />
    </div>
  );
};
