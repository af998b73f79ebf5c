"use client";

import { defaultRangeExtractor, useVirtualizer, type Range } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from "react";
import type { CanvasCommand } from "@/components/canvas/commands/canvas-tools";
import { useCanvas, useCanvasStore } from "@/components/canvas/state/canvas-context";
import { areCharacterKeysOn } from "@/components/shortcuts/character-keys";
import { cn } from "@/components/ui/cn";
import { isOutOfSight } from "./active";
import { COLUMNS, GRID, HEAD_PX, ROW_PX } from "./columns";
import { moveOf, skipJoints, findTyped } from "./move";
import { NodeRow } from "./node-row";
import { RowMenu } from "./row-menu";
import type { Row } from "./rows";
import { useActiveRow } from "./use-active-row";
import { useRowProblems } from "./use-row-problems";
import { EdgeListRow } from "./edge-row";

const TYPING_MS = 700;
const OVERSCAN = 12;

const clicked = (target: EventTarget): readonly [index: number, does: string | null, anchor: Element | null] => {
  const element = target instanceof Element ? target : null;
  const row = element?.closest("[data-row]") ?? null;
  const part = element?.closest("[data-does]") ?? null;

  return [row ? Number(row.getAttribute("aria-rowindex")) - 2 : -1, part?.getAttribute("data-does") ?? null, part ?? row];
};

type Props = {
  readonly rows: readonly Row[];
  readonly commands: readonly CanvasCommand[];
  readonly onToggle: (node: string) => void;
};

export const OutlineGrid = ({ rows, commands, onToggle }: Props) => {
  const grid = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: "", atMs: 0 });
  const store = useCanvasStore();
  const selection = useCanvas((state) => state.selection);
  const zones = useCanvas((state) => state.findings.zones);
  const marks = useCanvas((state) => state.marks);
  const decorations = useCanvas((state) => state.decorations);
  const problemsOf = useRowProblems();
  const [menu, setMenu] = useState<{ readonly row: Row; readonly anchor: Element | null; readonly isOpen: boolean } | null>(null);
  const { index: active, setLast, watch } = useActiveRow(rows, grid);
  // Tab needs the active row.
  const withActive = useCallback(
    (range: Range) => {
      const shown = defaultRangeExtractor(range);

      return active < 0 || active >= range.count || shown.includes(active) ? shown : [...shown, active].toSorted((a, b) => a - b);
    },
    [active],
  );
  // The React Compiler would skip this component.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => grid.current,
    estimateSize: (index) => (rows[index]?.type === "node" ? ROW_PX.node : ROW_PX.way),
    getItemKey: (index) => rows[index]?.key ?? index,
    // The sticky head takes space above the first row.
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    overscan: OVERSCAN,
    rangeExtractor: withActive,
  });
  // Row heights differ and move with the graph.
  useEffect(() => virtualizer.measure(), [rows, virtualizer]);
  // Scrolls to the active row.
  useEffect(() => {
    if (active >= 0) virtualizer.scrollToIndex(active, { align: "auto" });
  }, [active, virtualizer]);

  const focusRow = (row: Row) =>
    grid.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.key)}"]`)?.focus({ preventScroll: true });
  const select = (index: number, isExtending: boolean) => {
    const row = rows[index];
    if (!row) return;
    const { selection: before, select: choose } = store.getState();
    setLast({ key: row.key, index });
    if (row.type === "node")
      choose(
        isExtending ? { nodes: [...before.nodes.filter((id) => id !== row.node.id), row.node.id] } : { nodes: [row.node.id], edges: [] },
      );
    else if (row.type === "edge")
      choose(
        isExtending ? { edges: [...before.edges.filter((id) => id !== row.edge.id), row.edge.id] } : { nodes: [], edges: [row.edge.id] },
      );
    else if (!isExtending) choose({ nodes: [], edges: [] });
  };
  const openMenu = (index: number, anchor: Element | null) => {
    const row = rows[index];
    if (!row || row.type === "joint") return;
    select(index, false);
    setMenu({ row, anchor, isOpen: true });
  };
  const onClick = ({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) => {
    const [index, does, anchor] = clicked(target);
    const row = rows[index];
    if (!row) return;
    if (does === "toggle" && row.type === "node") onToggle(row.node.id);
    else if (does === "menu") openMenu(index, anchor);
    else {
      select(index, ctrlKey || metaKey || shiftKey);
      focusRow(row);
    }
  };
  const type = (letter: string, atMs: number) => {
    const text = atMs - typed.current.atMs < TYPING_MS ? typed.current.text + letter : letter;
    typed.current = { text, atMs };
    select(findTyped(rows, active, text), false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, altKey, ctrlKey, metaKey, shiftKey, timeStamp, target } = event;
    if (altKey || ctrlKey || metaKey) return;
    if (key === "ContextMenu" || (key === "F10" && shiftKey)) {
      event.preventDefault();
      if (target instanceof Element) openMenu(active, target);

      return;
    }
    // Letters search only while letter commands are off.
    if (key.length === 1 && key !== " " && !areCharacterKeysOn()) {
      event.preventDefault();
      type(key, timeStamp);

      return;
    }
    const move = moveOf(rows, active, key);
    if (!move) return;
    event.preventDefault();
    if ("toggle" in move) onToggle(move.toggle);
    else select(shiftKey ? skipJoints(rows, active, move.to) : move.to, shiftKey);
  };

  return (
    <>
      <div
        ref={grid}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a table has no rows that open, and renders all of them
        role="treegrid"
        aria-label="Outline"
        aria-rowcount={rows.length + 1}
        aria-colcount={COLUMNS.length + 1}
        aria-multiselectable
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-auto outline-hidden"
        onKeyDown={onKeyDown}
        onClick={onClick}
        onContextMenu={(event) => {
          const [index, , anchor] = clicked(event.target);
          if (index < 0) return;
          event.preventDefault();
          openMenu(index, anchor);
        }}
        onBlur={watch.onBlur}
        onFocus={({ target }) => {
          watch.onFocus();
          const [index] = clicked(target);
          if (isOutOfSight(rows, store.getState().selection)) select(index, false);
        }}
      >
        {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- parts of the tree grid around them */}
        <div
          role="row"
          aria-rowindex={1}
          className={cn(GRID, "sticky top-0 z-10 h-8 border-b border-l-2 border-l-transparent bg-surface px-1")}
        >
          {COLUMNS.map((column) => (
            <div
              key={column}
              role="columnheader"
              className={cn("truncate pr-2 text-xs font-medium text-muted", column === "Node" && "pl-7")}
            >
              {column}
            </div>
          ))}
          <div role="columnheader">
            <span className="sr-only">Actions</span>
          </div>
        </div>
        {/* oxlint-enable jsx-a11y/prefer-tag-over-role */}
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            const frame = {
              index,
              isActive: index === active,
              isSelected:
                row.type === "node" ? selection.nodes.includes(row.node.id) : row.type === "edge" && selection.edges.includes(row.edge.id),
              problems: problemsOf(row),
            };

            return (
              <div
                key={key}
                role="presentation"
                className="absolute inset-x-0 top-0 min-w-177"
                style={{ transform: `translateY(${start - HEAD_PX}px)` }}
              >
                {row.type === "node" ? (
                  <NodeRow
                    {...frame}
                    row={row}
                    zone={zones.get(row.node.id)}
                    mark={marks.nodes.get(row.node.id)}
                    decoration={decorations.nodes.get(row.node.id)}
                  />
                ) : (
                  <EdgeListRow
                    {...frame}
                    row={row}
                    mark={row.type === "edge" ? marks.edges.get(row.edge.id) : undefined}
                    decoration={decorations.edges.get(row.type === "edge" ? row.edge.id : row.id)}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <RowMenu
        open={menu?.isOpen ?? false}
        row={menu?.row ?? null}
        anchor={menu?.anchor ?? null}
        commands={commands}
        onClose={() => setMenu((before) => before && { ...before, isOpen: false })}
        onBack={() => {
          if (menu) focusRow(menu.row);
        }}
      />
    </>
  );
};
