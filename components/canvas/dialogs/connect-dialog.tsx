"use client";

import { useState } from "react";
import { connectNodes } from "@/components/canvas/flow/use-flow-changes";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { NODE_KINDS } from "@/lib/graph/kinds";

type Props = { readonly open: boolean; readonly onClose: () => void };

/** Connects the selected node without dragging: choose where the new edge leads. */
export const ConnectDialog = ({ open, onClose }: Props) => {
  const source = useCanvas((state) => state.selection.nodes[0] ?? null);
  const graph = useDocument();
  const store = useCanvasStore();
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const targets = graph.nodes.filter((node) => `${node.id} ${node.title}`.toLowerCase().includes(wanted));
  const close = () => {
    setText("");
    onClose();
  };
  const connect = (target: string) => {
    if (source !== null) connectNodes(store, source, target);
    close();
  };

  return (
    <Dialog
      open={open && source !== null}
      onOpenChange={(next) => (next ? undefined : close())}
      title={`Connect ${source ?? ""}`}
      description="Choose the node that comes after it."
    >
      <div className="flex flex-col gap-3">
        <Field label="Find a node">
          <Input
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              const [first] = targets;
              if (event.key === "Enter" && first) connect(first.id);
            }}
          />
        </Field>
        <ul aria-label="Nodes" className="flex flex-col">
          {targets.map((node) => (
            <li key={node.id}>
              <Button variant="ghost" className="w-full justify-start" onClick={() => connect(node.id)}>
                <span className="text-ink">{node.title === "" ? node.id : node.title}</span>
                <span className="text-xs">{NODE_KINDS[node.kind].title}</span>
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
};
