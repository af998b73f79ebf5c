"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useCanvas, useDocument, useEdit } from "@/components/canvas/state/canvas-context";
import { Button } from "@/components/ui/button";

export const EdgeList = ({ source }: { readonly source: string }) => {
  const edges = useDocument().edges.filter((edge) => edge.source === source);
  const edit = useEdit();
  const select = useCanvas((state) => state.select);
  if (edges.length === 0) return null;

  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">Outgoing edges (first match wins)</legend>
      <ol className="divide-y rounded-md border">
        {edges.map((edge, index) => (
          <li key={edge.id} className="flex items-center gap-1 px-2 py-1">
            <button
              type="button"
              className="min-w-0 flex-1 truncate text-left text-sm hover:text-accent"
              onClick={() => select({ nodes: [], edges: [edge.id] })}
            >
              {edge.target}{" "}
              <span className="ml-1 font-mono text-xs text-muted">{edge.kind === "normal" ? (edge.condition ?? "always") : edge.kind}</span>
            </button>
            <Button
              size="icon"
              variant="ghost"
              aria-label={`Move ${edge.id} up`}
              disabledReason={index === 0 ? "This is the first edge" : null}
              onClick={() => edit([{ op: "move_edge", edge: edge.id, by: -1 }])}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              size="icon"
              variant="ghost"
              aria-label={`Move ${edge.id} down`}
              disabledReason={index === edges.length - 1 ? "This is the last edge" : null}
              onClick={() => edit([{ op: "move_edge", edge: edge.id, by: 1 }])}
            >
              <ArrowDown aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
    </fieldset>
  );
};
