"use client";

import { Handle, Position, useStore, type NodeProps } from "@xyflow/react";
import { CircleAlert, CircleMinus, CirclePlus, Flag, PencilLine, Play, ShieldAlert, TriangleAlert, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { KIND_UIS, summarize } from "@/components/canvas/kinds/kind-uis";
import { LabelMark } from "@/components/values/label-mark";
import { useCanvas } from "@/components/canvas/state/canvas-context";
import { cn } from "@/components/ui/cn";
import { Mark } from "@/components/ui/marks/mark";
import type { ChangeMark } from "@/lib/graph/diff";
import { asksPerson } from "@/lib/graph/kind-of";
import { NODE_KINDS } from "@/lib/graph/kinds";
import type { Severity } from "@/lib/graph/problems/problem";
import type { Decoration } from "./decoration";
import { FRAMES } from "./decoration-look";
import { HANDLE_PX, isFarAway, NODE_HEIGHT_PX, NODE_WIDTH_PX } from "./geometry";
import type { FlowNode } from "./to-flow";

const handleStyle = {
  width: HANDLE_PX,
  height: HANDLE_PX,
  background: "var(--surface)",
  border: "1.5px solid var(--control)",
  borderRadius: HANDLE_PX,
};

const Finding = ({ worst }: { readonly worst: Severity }) =>
  worst === "error" ? (
    <CircleAlert aria-hidden className="size-3.5 text-refused" />
  ) : (
    <TriangleAlert aria-hidden className="size-3.5 text-tainted" />
  );

const MARKED: Record<ChangeMark, { readonly Icon: LucideIcon; readonly word: string; readonly frame: string }> = {
  added: { Icon: CirclePlus, word: "Added", frame: "border-2 border-accent" },
  changed: { Icon: PencilLine, word: "Changed", frame: "border-2 border-dashed border-accent" },
  removed: { Icon: CircleMinus, word: "Removed", frame: "border-2 border-dashed border-control" },
};

const Difference = ({ mark }: { readonly mark: ChangeMark }) => {
  const { Icon, word } = MARKED[mark];

  return (
    <span className="inline-flex items-center gap-1 font-medium text-ink">
      <Icon aria-hidden className="size-3.5" /> {word}
    </span>
  );
};

const Word = ({ mark, text }: Pick<Decoration, "mark" | "text">) =>
  mark === undefined ? (
    <p className="truncate text-xs leading-4 text-muted">{text}</p>
  ) : (
    <Mark kind={mark} bare className="leading-4">
      {text}
    </Mark>
  );

/** Unreadable from far away. */
const Content = ({
  data: { node, worst, zone, isStart, isEnd, mark },
  isConnectable,
}: Pick<NodeProps<FlowNode>, "data" | "isConnectable">) => {
  const catalog = useCanvas((state) => state.catalog);
  const decoration = useCanvas((state) => state.decorations.nodes.get(node.id));
  const Icon = KIND_UIS[node.kind].icon;
  const hasEffect = node.effect === "write" || node.effect === "irreversible";

  return (
    <>
      <Handle type="target" position={Position.Left} style={handleStyle} isConnectable={isConnectable} aria-hidden />
      <div className="flex items-center gap-1.5 text-xs text-muted">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="flex-1 truncate">{NODE_KINDS[node.kind].title}</span>
        {mark === null ? null : <Difference mark={mark} />}
        {isStart ? <Play aria-label="Start" className="size-3 text-accent" /> : null}
        {isEnd ? <Flag aria-label="End" className="size-3 text-accent" /> : null}
        {hasEffect ? <ShieldAlert aria-label={`Effect: ${node.effect}`} className="size-3.5 text-tainted" /> : null}
        {zone === null ? null : <LabelMark integrity={zone} shapeOnly />}
        {worst === null ? null : <Finding worst={worst} />}
      </div>
      <p
        className={cn(
          "truncate text-sm leading-4 font-medium",
          mark === "removed" && "line-through",
          decoration?.tone === "faded" && "font-normal text-muted",
        )}
      >
        {node.title === "" ? node.id : node.title}
      </p>
      {decoration?.text === undefined ? (
        <p className="truncate font-mono text-[11px] leading-4 text-faint">{summarize(node.kind, node, catalog)}</p>
      ) : (
        <Word {...decoration} />
      )}
      <Handle type="source" position={Position.Right} style={handleStyle} isConnectable={isConnectable} aria-hidden />
    </>
  );
};

/** Node face. Its frame's label has all that is announced. */
const Face = ({ data, selected, isConnectable }: NodeProps<FlowNode>) => {
  const { node, worst, mark } = data;
  const decoration = useCanvas((state) => state.decorations.nodes.get(node.id));
  const isFar = useStore(isFarAway);

  return (
    <div
      style={{ width: NODE_WIDTH_PX, height: NODE_HEIGHT_PX }}
      className={cn(
        "flex flex-col justify-center gap-1 rounded-lg border bg-surface px-3 text-left",
        selected ? "border-accent ring-1 ring-accent" : worst === "error" ? "border-refused" : "border-line-strong",
        asksPerson(node) && !selected && "bg-waiting-soft",
        mark !== null && !selected && MARKED[mark].frame,
        decoration && FRAMES[decoration.tone],
        decoration && selected && "outline-2 outline-offset-2 outline-accent",
      )}
    >
      {isFar ? null : <Content data={data} isConnectable={isConnectable} />}
    </div>
  );
};

/** Position is ignored, so dragging does not render. */
export const NodeFace = memo(Face, (a, b) => a.data === b.data && a.selected === b.selected && a.isConnectable === b.isConnectable);
