"use client";

import { useReactFlow } from "@xyflow/react";
import { useId, useState } from "react";
import { addKind } from "@/components/canvas/adding/add-kind";
import { startDrag } from "@/components/canvas/adding/drag-kind";
import type { FlowNode } from "@/components/canvas/flow/to-flow";
import type { FlowEdge } from "@/components/canvas/flow/to-flow-edges";
import type { KindGroup } from "@/components/canvas/kinds/kind-ui";
import { KIND_UIS, KINDS } from "@/components/canvas/kinds/kind-uis";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { useCanvasView } from "@/components/canvas/state/canvas-view";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { Tooltip } from "@/components/ui/tooltip";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";

const GROUPS: readonly { readonly group: KindGroup; readonly title: string }[] = [
  { group: "work", title: "Work" },
  { group: "decide", title: "Decide" },
  { group: "zone", title: "Review zone" },
  { group: "combine", title: "Combine" },
];

type GroupProps = {
  readonly title: string;
  readonly kinds: readonly NodeKind[];
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
                  draggable={readOnly === null}
                  onDragStart={(event) => startDrag(event, kind)}
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

const isWanted = (kind: NodeKind, text: string): boolean =>
  `${NODE_KINDS[kind].title} ${NODE_KINDS[kind].about}`.toLowerCase().includes(text.trim().toLowerCase());

/** Node palette; adds after the selection, at the centre or where dropped. */
export const Palette = () => {
  const store = useCanvasStore();
  const readOnly = useCanvas((state) => state.readOnly);
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const palette = useCanvasView((state) => state.palette);
  const [text, setText] = useState("");
  const add = (kind: NodeKind) => addKind({ store, flow }, kind);
  const groups = GROUPS.map(({ group, title }) => ({
    title,
    kinds: KINDS.filter((kind) => KIND_UIS[kind].group === group && isWanted(kind, text)),
  })).filter(({ kinds }) => kinds.length > 0);
  const [first] = groups.flatMap(({ kinds }) => kinds);
  if (palette === "hidden") return null;

  return (
    <section
      data-palette
      aria-label="Add a node"
      className={cn(
        "flex w-36 shrink-0 flex-col gap-3 overflow-y-auto border-r bg-surface p-2 max-md:absolute max-md:inset-y-0 max-md:left-0 max-md:z-20 max-md:shadow-float",
        palette === "auto" && "max-xl:hidden",
      )}
    >
      <Input
        className="shrink-0"
        aria-label="Filter kinds"
        placeholder="Add a node…"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && first && !event.nativeEvent.isComposing) add(first);
        }}
      />
      {groups.map(({ title, kinds }) => (
        <PaletteGroup key={title} title={title} kinds={kinds} readOnly={readOnly} onAdd={add} />
      ))}
      {groups.length === 0 ? <p className="px-2 text-xs text-muted">No matching kinds.</p> : null}
    </section>
  );
};
