"use client";

import { useReactFlow } from "@xyflow/react";
import { useId } from "react";
import { bringIntoView } from "@/components/canvas/flow/bring-into-view";
import { freePlace } from "@/components/canvas/flow/free-place";
import { NODE_HEIGHT_PX, NODE_WIDTH_PX, STEP_PX } from "@/components/canvas/flow/geometry";
import type { KindGroup } from "@/components/canvas/kinds/kind-ui";
import { KIND_UIS, KINDS, newNode } from "@/components/canvas/kinds/kind-uis";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { Tooltip } from "@/components/ui/tooltip";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";

type Point = { readonly x: number; readonly y: number };

const GROUPS: readonly { readonly group: KindGroup; readonly title: string }[] = [
  { group: "work", title: "Work" },
  { group: "decide", title: "Decide" },
  { group: "zone", title: "Review zone" },
  { group: "combine", title: "Combine" },
];

const paneOfCanvas = (): DOMRect | undefined => document.querySelector(".react-flow")?.getBoundingClientRect();

const middleOfCanvas = (): Point => {
  const pane = paneOfCanvas();

  return pane ? { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 } : { x: 0, y: 0 };
};

type GroupProps = {
  readonly title: string;
  readonly kinds: readonly NodeKind[];
  /** Why nothing can be added. */
  readonly readOnly: string | null;
  readonly onAdd: (kind: NodeKind) => void;
};

const PaletteGroup = ({ title, kinds, readOnly, onAdd }: GroupProps) => {
  const titleId = useId();

  return (
    <div className="flex flex-col gap-0.5">
      <h2 id={titleId} className="px-2 pb-1 text-xs font-medium text-muted">
        {title}
      </h2>
      <ul aria-labelledby={titleId} className="flex flex-col gap-0.5">
        {kinds.map((kind) => {
          const { title: name, about } = NODE_KINDS[kind];
          const Icon = KIND_UIS[kind].icon;

          return (
            <li key={kind}>
              <Tooltip text={readOnly ?? about} side="right">
                <button
                  type="button"
                  aria-disabled={readOnly !== null || undefined}
                  aria-label={`Add ${name}`}
                  className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-ink aria-disabled:opacity-55"
                  onClick={() => (readOnly === null ? onAdd(kind) : undefined)}
                >
                  <Icon aria-hidden className="size-4 shrink-0" />
                  {name}
                </button>
              </Tooltip>
            </li>
          );
        })}
      </ul>
    </div>
  );
};

/** All kinds of nodes, by what they are for. One click or Enter adds a node: after the selected one, otherwise in the middle of the view. */
export const Palette = () => {
  const store = useCanvasStore();
  const readOnly = useCanvas((state) => state.readOnly);
  const flow = useReactFlow();
  const add = (kind: NodeKind) => {
    const { history, selection, catalog, edit, select } = store.getState();
    const graph = history.document;
    const after = selection.nodes.length === 1 ? graph.nodes.find((node) => node.id === selection.nodes[0]) : undefined;
    const middle = flow.screenToFlowPosition(middleOfCanvas());
    const wanted = after
      ? { x: after.position.x + STEP_PX, y: after.position.y }
      : { x: middle.x - NODE_WIDTH_PX / 2, y: middle.y - NODE_HEIGHT_PX / 2 };
    const node = newNode(kind, graph, catalog, freePlace(graph, { x: Math.round(wanted.x), y: Math.round(wanted.y) }));
    edit([{ op: "add_node", node }]);
    select({ nodes: [node.id], edges: [] });
    bringIntoView(flow, node.position);
  };

  return (
    <section data-palette aria-label="Add a node" className="flex w-36 shrink-0 flex-col gap-3 overflow-y-auto border-r bg-surface p-2">
      {GROUPS.map(({ group, title }) => (
        <PaletteGroup
          key={group}
          title={title}
          kinds={KINDS.filter((kind) => KIND_UIS[kind].group === group)}
          readOnly={readOnly}
          onAdd={add}
        />
      ))}
    </section>
  );
};
