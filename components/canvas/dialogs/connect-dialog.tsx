"use client";

import { useReactFlow } from "@xyflow/react";
import { connectNodes } from "@/components/canvas/flow/use-flow-changes";
import { focusPlace } from "@/components/canvas/keyboard/go-to";
import { getSelectedPlace } from "@/components/canvas/keyboard/place";
import { KIND_UIS } from "@/components/canvas/kinds/kind-uis";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { Dialog } from "@/components/ui/dialog";
import type { GraphNode } from "@/lib/graph/document";
import { NODE_KINDS } from "@/lib/graph/kinds";
import { getNodeName } from "@/lib/graph/facts/facts";
import { ChoiceList, type Choice } from "./choice-list";

const choiceOf = (node: GraphNode): Choice => {
  const Icon = KIND_UIS[node.kind].icon;
  const id = node.title === "" ? "" : ` · ${node.id}`;

  return {
    value: node.id,
    label: getNodeName(node),
    about: `${NODE_KINDS[node.kind].title}${id}`,
    icon: <Icon aria-hidden className="size-4 shrink-0 text-muted" />,
  };
};

type Props = { readonly open: boolean; readonly onClose: () => void };

export const ConnectDialog = ({ open, onClose }: Props) => {
  const source = useCanvas((state) => state.selection.nodes[0] ?? null);
  const graph = useDocument();
  const store = useCanvasStore();
  const flow = useReactFlow();
  const node = graph.nodes.find(({ id }) => id === source);
  // Self-loops come last.
  const targets = node ? [...graph.nodes.filter((other) => other !== node), node] : [];

  return (
    <Dialog
      open={open && node !== undefined}
      onOpenChange={(next) => (next ? undefined : onClose())}
      title={node ? `Connect ${getNodeName(node)}` : ""}
      description="Choose the node to run next."
    >
      <ChoiceList
        label="Find a node"
        noun="Nodes"
        choices={targets.map(choiceOf)}
        onChoose={(target) => {
          onClose();
          if (node) connectNodes(store, node.id, target);
          const edge = getSelectedPlace(store);
          // Enter opens the new edge's condition.
          if (edge) focusPlace({ store, flow }, edge);
        }}
      />
    </Dialog>
  );
};
