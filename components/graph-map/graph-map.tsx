"use client";

import { useId, useMemo, useState, type KeyboardEvent } from "react";
import { cn } from "@/components/ui/cn";
import { mapShape, NODE, type MapEdge, type MapNode, type MapNodeState } from "./map-shape";

const STATE_TEXT = {
  idle: "not visited",
  passed: "passed",
  active: "active",
  waiting: "waiting",
} as const satisfies Record<MapNodeState, string>;

const BOX = {
  idle: "fill-surface stroke-line-strong",
  passed: "fill-surface stroke-ink",
  active: "fill-accent-soft stroke-accent",
  waiting: "fill-waiting-soft stroke-waiting",
} as const satisfies Record<MapNodeState, string>;

const WORDS = {
  idle: "fill-faint",
  passed: "fill-ink",
  active: "fill-ink font-medium",
  waiting: "fill-ink font-medium",
} as const satisfies Record<MapNodeState, string>;

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const Clock = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <g className="fill-none stroke-waiting" strokeWidth={2.5} strokeLinecap="round">
    <circle cx={x} cy={y} r={10} className="fill-surface" />
    <path d={`M${x} ${y - 4.5} V${y} L${x + 3} ${y + 2.5}`} />
  </g>
);

type Props = {
  /** In keyboard order. */
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly label: string;
  /** Extra accessible text. */
  readonly noteOf?: (id: string) => string | null;
  /** On Enter or click. */
  readonly onOpen?: ((id: string) => void) | undefined;
  readonly className?: string | undefined;
};

/** Read-only graph map with one Tab stop; lays out unplaced nodes. */
export const GraphMap = ({ nodes, edges, label, noteOf, onOpen, className }: Props) => {
  const id = useId();
  const shape = useMemo(() => mapShape(nodes, edges), [nodes, edges]);
  const first = Math.max(
    0,
    shape.nodes.findIndex(({ state }) => state === "waiting" || state === "active"),
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const [isFocused, setIsFocused] = useState(false);
  const at = Math.min(chosen ?? first, shape.nodes.length - 1);
  const current = shape.nodes[at];
  const optionId = (index: number) => `${id}-${index}`;
  const sentence = (node: MapNode) => [node.title, node.kind, STATE_TEXT[node.state], noteOf?.(node.id)].filter(Boolean).join(", ");
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen(Math.min(shape.nodes.length - 1, Math.max(0, at + step)));
    }
    if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      setChosen(event.key === "Home" ? 0 : shape.nodes.length - 1);
    }
    if (event.key === "Enter" && current) onOpen?.(current.id);
  };

  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no native list elements
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current ? optionId(at) : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
      className={cn("focus-visible:-outline-offset-2", className)}
    >
      <svg
        role="presentation"
        viewBox={shape.viewBox}
        preserveAspectRatio="xMidYMid meet"
        className="h-full w-full"
        style={{ maxHeight: Math.max(64, shape.height) }}
      >
        {shape.edges.map(({ source, target, line, isTaken }) => (
          <path
            key={`${source} ${target}`}
            d={line}
            className={cn("fill-none", isTaken ? "stroke-ink" : "stroke-line-strong")}
            strokeWidth={isTaken ? 3 : 1.5}
            {...(isTaken ? {} : { strokeDasharray: "5 5" })}
          />
        ))}
        {shape.nodes.map((node, index) => (
          <g
            key={node.id}
            id={optionId(index)}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
            role="option"
            aria-selected={index === at}
            aria-label={sentence(node)}
            onClick={() => {
              setChosen(index);
              onOpen?.(node.id);
            }}
          >
            <title>{sentence(node)}</title>
            <rect
              x={node.x}
              y={node.y}
              {...NODE}
              rx={8}
              className={BOX[node.state]}
              strokeWidth={node.state === "waiting" || node.state === "active" ? 4 : 2}
            />
            {isFocused && index === at ? (
              <rect
                x={node.x - 6}
                y={node.y - 6}
                width={NODE.width + 12}
                height={NODE.height + 12}
                rx={12}
                className="fill-none stroke-accent"
                strokeWidth={4}
              />
            ) : null}
            {node.state === "waiting" ? <Clock x={node.x + NODE.width - 4} y={node.y + 2} /> : null}
          </g>
        ))}
        {/* Titles are truncated; accessible names are not. */}
        <g aria-hidden className="pointer-events-none">
          {shape.nodes.map((node) =>
            shape.hasTitles || node.state === "waiting" || node.state === "active" ? (
              <text
                key={node.id}
                x={node.x + 12}
                y={node.y + NODE.height / 2}
                dominantBaseline="central"
                fontSize={22}
                className={WORDS[node.state]}
              >
                {node.short}
              </text>
            ) : null,
          )}
        </g>
      </svg>
    </div>
  );
};
