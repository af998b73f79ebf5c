"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useMemo, useRef } from "react";
import type { Entry } from "./entries";
import type { NodeNames } from "./node-names";
import { RecordRow, ROW_PX } from "./record-row";
import { summarizeAll } from "./record-summary";

type Props = {
  readonly entries: readonly Entry[];
  readonly names: NodeNames;
  readonly selected: number;
  /** Selects the last record whatever it is, as long as nobody moved. */
  readonly isFollowing: boolean;
  readonly onSelect: (seq: number) => void;
  /** The reader scrolled away from the end. */
  readonly onLeaveTail: () => void;
};

/** All records, of which only those in sight are rendered. */
export const RecordList = ({ entries, names, selected, isFollowing, onSelect, onLeaveTail }: Props) => {
  const scroller = useRef<HTMLDivElement>(null);
  const baseId = useId();
  const rows = useMemo(() => summarizeAll(entries, names), [entries, names]);
  const startedAt = rows[0]?.at ?? null;
  // The React Compiler would skip this component; it is not used here, and rows are memoised by hand.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.isMinor ? ROW_PX.minor : ROW_PX.full),
    overscan: 12,
  });

  // The scroll position belongs to the browser: it follows the selection.
  useEffect(() => {
    if (rows.length > 0) virtualizer.scrollToIndex(Math.min(selected, rows.length - 1), { align: "auto" });
  }, [selected, rows.length, virtualizer]);

  return (
    // A native list box renders all of its options.
    <div
      ref={scroller}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="listbox"
      aria-label="Records"
      tabIndex={0}
      aria-activedescendant={`${baseId}-${selected}`}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      onWheel={({ deltaY }) => {
        if (isFollowing && deltaY < 0) onLeaveTail();
      }}
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];

          return row ? (
            <div
              key={row.seq}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <RecordRow
                id={`${baseId}-${row.seq}`}
                row={row}
                startedAt={startedAt}
                isSelected={row.seq === selected}
                count={rows.length}
                onSelect={onSelect}
              />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
};
