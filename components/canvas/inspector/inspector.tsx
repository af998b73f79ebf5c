"use client";

import { useQueryStates } from "nuqs";
import { useDeferredValue } from "react";
import { requestRemoval } from "@/components/canvas/commands/editing";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { canvasParams } from "@/components/canvas/state/use-canvas-url";
import type { Selection } from "@/components/canvas/state/canvas-store";
import type { Problem } from "@/lib/graph/problems/problem";
import { EdgeForm } from "./edge-form";
import { NodeForm } from "./node-form";

type Props = { readonly problems: readonly Problem[] };

type FormProps = Props & { readonly selection: Selection };

const SelectionForm = ({ problems, selection: { nodes, edges } }: FormProps) => {
  const graph = useDocument();
  const store = useCanvasStore();
  const [, setPlace] = useQueryStates(canvasParams);
  const node = nodes.length === 1 ? graph.nodes.find((item) => item.id === nodes[0]) : undefined;
  const edge = nodes.length === 0 && edges.length === 1 ? graph.edges.find((item) => item.id === edges[0]) : undefined;

  if (node) return <NodeForm key={node.id} node={node} problems={problems.filter((found) => found.node === node.id)} />;
  if (edge) return <EdgeForm key={edge.id} edge={edge} problems={problems.filter((found) => found.edge === edge.id)} />;
  if (nodes.length > 1) {
    return (
      <div className="flex flex-col items-start gap-3">
        <p className="text-sm text-muted">{nodes.length} nodes are selected.</p>
        <Button size="sm" variant="danger" onClick={() => requestRemoval(store, setPlace, null)}>
          Delete selection
        </Button>
      </div>
    );
  }

  return (
    <p className="text-sm text-muted">
      Select a node or an edge to configure it. Add one from the palette; press <kbd className="font-mono">c</kbd> on a node to connect it.
    </p>
  );
};

export const Inspector = ({ problems }: Props) => {
  const selection = useCanvas((state) => state.selection);
  // Fast walking must not wait for forms.
  const shown = useDeferredValue(selection);

  // A lagging form is inert: typing must not reach another node.
  return (
    <div inert={shown !== selection}>
      <SelectionForm problems={problems} selection={shown} />
    </div>
  );
};
