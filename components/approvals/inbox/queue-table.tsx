"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { Button } from "@/components/ui/button";
import { TableBody, TableCell, TableHead, TableHeader, useCellLabels } from "@/components/ui/table";
import type { QueueRow } from "@/components/approvals/types";
import type { BurstRow } from "./bursts";
import { QueueTableRow, ROW_PX, getRowLinkId } from "./queue-row";
import type { Selection } from "./selection";
import { useQueueKeys } from "./use-queue-keys";
import { useSummaries } from "./use-summaries";

const COLUMNS = 9;
/** Rendered whole, so that the browser's search works. */
const ALL_RENDERED = 100;
/** Next page is fetched this far from the end. */
const NEAR_END_PX = 1_200;

type Props = {
  readonly listed: readonly BurstRow<QueueRow>[];
  readonly onUnfold: (key: string) => void;
  readonly isOpenTab: boolean;
  readonly total: number;
  readonly current: string | null;
  readonly selection: Selection;
  readonly hrefOf: (id: string) => `/approvals/${string}`;
  readonly onReach: (id: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onSelect: (id: string, isRange: boolean) => void;
  readonly onSelectAll: () => void;
  readonly onAside: (row: QueueRow) => void;
  readonly onMore: (() => void) | null;
  readonly isLoadingMore: boolean;
};

const Room = ({ px }: { readonly px: number }) =>
  px > 0 ? (
    <tr aria-hidden>
      <TableCell colSpan={COLUMNS} className="border-0 p-0" style={{ height: px }} />
    </tr>
  ) : null;

export const QueueTable = (props: Props) => {
  const { listed, onUnfold, isOpenTab, total, current, selection, hrefOf } = props;
  const { onReach, onOpen, onSelect, onSelectAll, onAside, onMore, isLoadingMore } = props;
  const rows = useMemo(() => listed.map(({ row }) => row), [listed]);
  const scroller = useRef<HTMLDivElement>(null);
  // The React Compiler would skip this component.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: rows.length <= ALL_RENDERED ? ALL_RENDERED : 10,
    // Scrolls back to the row that was left.
    initialOffset: Math.max(0, (rows.findIndex(({ id }) => id === current) - 4) * ROW_PX),
  });
  useQueueKeys({
    rows,
    current,
    onOpen,
    onStep: (index, id) => {
      onReach(id);
      virtualizer.scrollToIndex(index, { align: "auto" });
      // Waits until the row is rendered.
      requestAnimationFrame(() => document.getElementById(getRowLinkId(id))?.focus({ preventScroll: true }));
    },
    onSelect,
    onAside,
    onMore,
  });

  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const summaries = useSummaries(rows, first?.index ?? 0, last?.index ?? -1);

  return (
    <div
      ref={scroller}
      className="min-h-64 flex-1 overflow-auto border-t bg-surface"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        if (scrollHeight - scrollTop - clientHeight < NEAR_END_PX) onMore?.();
      }}
    >
      <table
        aria-label={isOpenTab ? "Open approvals" : "Decided approvals"}
        aria-rowcount={total + 1}
        ref={useCellLabels()}
        className="w-full border-separate border-spacing-0 text-sm max-sm:block"
      >
        <TableHead>
          <tr aria-rowindex={1}>
            <TableHeader className="w-8 pr-0">
              {isOpenTab ? (
                <label className="flex size-6 items-center justify-center">
                  <span className="sr-only">Select all</span>
                  <input
                    type="checkbox"
                    className="size-4 accent-accent"
                    checked={selection.ids.size > 0 && rows.every(({ id, status }) => status !== "open" || selection.ids.has(id))}
                    onChange={onSelectAll}
                  />
                </label>
              ) : (
                <span className="sr-only">Selection</span>
              )}
            </TableHeader>
            <TableHeader>{isOpenTab ? "Risk" : "Outcome"}</TableHeader>
            <TableHeader>Request</TableHeader>
            <TableHeader className="max-xl:hidden">Authority</TableHeader>
            <TableHeader className="max-lg:hidden">Graph</TableHeader>
            <TableHeader className="max-2xl:hidden">Node</TableHeader>
            <TableHeader className="max-lg:hidden">Needs</TableHeader>
            <TableHeader className="max-xl:hidden">Opened</TableHeader>
            <TableHeader numeric>{isOpenTab ? "Expires in" : "Resolved"}</TableHeader>
          </tr>
        </TableHead>
        <TableBody>
          <Room px={first?.start ?? 0} />
          {items.map((item) => {
            const { row, burst } = listed[item.index] ?? { row: undefined, burst: null };

            return row ? (
              <QueueTableRow
                key={row.id}
                row={row}
                summary={summaries.get(row.id)}
                index={item.index}
                href={hrefOf(row.id)}
                isCurrent={row.id === current}
                isSelected={selection.ids.has(row.id)}
                measure={virtualizer.measureElement}
                onSelect={onSelect}
                onReach={onReach}
                onOpen={onOpen}
                burst={burst}
                onUnfold={onUnfold}
              />
            ) : null;
          })}
          <Room px={last ? virtualizer.getTotalSize() - last.end : 0} />
        </TableBody>
      </table>
      {onMore ? (
        <div className="flex justify-center p-3">
          <Button pending={isLoadingMore ? "Loading…" : null} onClick={onMore}>
            Load more
          </Button>
        </div>
      ) : null}
    </div>
  );
};
