/** Declared targets and workers, not removable on the canvas. */
import type { Edge } from "@xyflow/react";
import type { GraphNode } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { arrow, LABEL } from "./edge-style";

const COLORS = { rejection: "var(--refused)", expiry: "var(--waiting)", choice: "var(--control)", worker: "var(--faint)" } as const;

/** Non-edge connections of a node; targets may be missing. */
export const listDeclaredEdges = (node: GraphNode): readonly Edge[] =>
  getKind(node).links.flatMap(({ name, line, targets }) =>
    line === undefined
      ? []
      : [...new Set(targets(node.config))].map((target) => {
          const { label, describe, tone } = line;
          const stroke = COLORS[tone];
          // Workers have no arrow: the run never visits them.
          const isWorker = tone === "worker";

          return {
            id: `${name}:${node.id}:${target}`,
            type: "way",
            source: node.id,
            target,
            ...(label === undefined ? {} : { label }),
            ariaLabel: describe(node.id, target),
            selectable: false,
            focusable: false,
            style: isWorker
              ? { stroke, strokeWidth: 4, strokeDasharray: "0.1 8", strokeLinecap: "round" }
              : { stroke, strokeWidth: 1.25, strokeDasharray: "2 4" },
            ...LABEL,
            ...(isWorker ? {} : { markerEnd: arrow(stroke) }),
          };
        }),
  );
