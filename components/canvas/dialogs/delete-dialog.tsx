"use client";

import { useMemo } from "react";
import { removeSelected } from "@/components/canvas/commands/editing";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import type { Graph } from "@/lib/graph/document";
import { getNodeName } from "@/lib/graph/facts/facts";
import { findRemovalEffects, type Removal } from "@/lib/graph/removal";

const titleOf = (graph: Graph, nodes: readonly string[]): string => {
  const [only] = graph.nodes.filter(({ id }) => id === nodes[0]);

  return nodes.length === 1 && only ? `Delete “${getNodeName(only)}”?` : `Delete ${nodes.length} nodes?`;
};

type EffectsProps = { readonly title: string; readonly about: string; readonly removal: Removal };

const Effects = ({ title, about, removal: { opened, stranded } }: EffectsProps) => (
  <section aria-label={title} className="flex flex-col gap-2">
    <h3 className="text-sm font-medium">{title}</h3>
    <p className="text-xs text-muted">{about}</p>
    {opened.map((sentence) => (
      <Callout key={sentence} kind="refused" title={sentence} />
    ))}
    {stranded.map((sentence) => (
      <Callout key={sentence} kind="waiting" title={sentence} />
    ))}
  </section>
);

const Body = ({ nodes, onClose }: { readonly nodes: readonly string[]; readonly onClose: () => void }) => {
  const store = useCanvasStore();
  const graph = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const joined = useMemo(() => findRemovalEffects(graph, catalog, nodes, true), [graph, catalog, nodes]);
  const plain = useMemo(() => findRemovalEffects(graph, catalog, nodes, false), [graph, catalog, nodes]);
  const remove = (rejoin: boolean) => {
    onClose();
    removeSelected(store, rejoin);
  };

  return (
    <div className="flex flex-col gap-4">
      <Effects title="Delete and reconnect" about="Connects the nodes before it with the nodes after it." removal={joined} />
      <Effects title="Delete" about="Its edges go too." removal={plain} />
      <div className="flex flex-wrap justify-end gap-2 border-t pt-3">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant={joined.opened.length > 0 ? "danger" : "secondary"} onClick={() => remove(true)}>
          Delete and reconnect
        </Button>
        <Button variant="danger" onClick={() => remove(false)}>
          Delete
        </Button>
      </div>
    </div>
  );
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const DeleteDialog = ({ open, onClose }: Props) => {
  const graph = useDocument();
  const { nodes } = useCanvas((state) => state.selection);
  const isEditable = useCanvas((state) => state.readOnly === null);

  return (
    <Dialog
      open={open && isEditable && nodes.length > 0}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={titleOf(graph, nodes)}
      size="lg"
    >
      <Body nodes={nodes} onClose={onClose} />
    </Dialog>
  );
};
