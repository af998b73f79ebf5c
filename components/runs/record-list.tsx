"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { count } from "@/lib/format";
import { RecordHead, RecordRow, ROW_PX } from "./record-row";
import type { RecordSummary } from "./record-summary";

type Props = {
  readonly rows: readonly (RecordSummary | undefined)[];
  readonly total: number;
  /** Listed seqs; null for all. */
  readonly shown: readonly number[] | null;
  readonly selected: number;
  /** Until the reader moves. */
  readonly isFollowing: boolean;
  readonly unseen: number;
  readonly onSelect: (seq: number) => void;
  readonly onFollow: () => void;
  readonly onLeaveTail: () => void;
};

const indexOf = (shown: readonly number[] | null, seq: number): number =>
  shown === null
    ? seq
    : Math.max(
        0,
        shown.findLastIndex((each) => each <= seq),
      );

const noSubscription = () => () => undefined;

const useIsLive = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );

const ARRIVING = 32;
const ABOVE = 10;

const firstInSight = (at: number): number => Math.max(0, at - ABOVE);

const arriving = (at: number, listed: number): readonly { readonly index: number; readonly start: number }[] => {
  const from = firstInSight(at);

  return Array.from({ length: Math.min(ARRIVING, listed - from) }, (_, place) => ({ index: from + place, start: place * ROW_PX }));
};

export const RecordList = ({ rows, total, shown, selected, isFollowing, unseen, onSelect, onFollow, onLeaveTail }: Props) => {
  const scroller = useRef<HTMLDivElement>(null);
  const baseId = useId();
  const isLive = useIsLive();
  const listed = shown?.length ?? total;
  const startedAt = rows[0]?.at ?? null;
  // The React Compiler would skip this component.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: listed,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    initialOffset: () => firstInSight(indexOf(shown, selected)) * ROW_PX,
  });

  /** Scrolls only while following. */
  const end = isFollowing ? listed : null;

  // Keeps the selection in view.
  useEffect(() => {
    virtualizer.scrollToIndex(indexOf(shown, selected), { align: "auto" });
    // oxlint-disable-next-line react/exhaustive-deps -- the list changes with every record, and scrolls only at the end
  }, [selected, end, shown === null, virtualizer]);

  if (listed === 0) return <p className="px-3 py-4 text-sm text-muted">No records match this filter.</p>;

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <RecordHead />
      {/* A native list box renders all options. */}
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
        onTouchMove={() => (isFollowing ? onLeaveTail() : undefined)}
        onPointerDown={({ target, currentTarget }) => {
          // A scroll bar press targets the scroller.
          if (isFollowing && target === currentTarget) onLeaveTail();
        }}
      >
        <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {(isLive ? virtualizer.getVirtualItems() : arriving(indexOf(shown, selected), listed)).map((item) => {
            const seq = shown === null ? item.index : (shown[item.index] ?? 0);

            return (
              <div key={seq} role="presentation" className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
                <RecordRow
                  id={`${baseId}-${seq}`}
                  seq={seq}
                  row={rows[seq]}
                  startedAt={startedAt}
                  isSelected={seq === selected}
                  position={item.index + 1}
                  count={listed}
                  onSelect={onSelect}
                />
              </div>
            );
          })}
        </div>
      </div>
      {unseen > 0 ? (
        <div className="absolute inset-x-0 bottom-3 flex justify-center">
          <Button size="sm" variant="primary" className="rounded-full shadow-float" onClick={onFollow}>
            <ArrowDown aria-hidden />
            {count(unseen)} new {unseen === 1 ? "record" : "records"}
          </Button>
        </div>
      ) : null}
    </div>
  );
};
