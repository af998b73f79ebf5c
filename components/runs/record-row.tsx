import { memo } from "react";
import { cn } from "@/components/ui/cn";
import { MARKS } from "@/components/ui/marks/marks";
import { absoluteTime, count, money } from "@/lib/format";
import { LabelMark } from "./label-mark";
import { RecordIcon } from "./record-icon";
import type { RecordSummary } from "./record-summary";

/** Since the start of the run: `+1.24 s`. */
const sinceText = (at: number | null, startedAt: number | null): string =>
  at === null || startedAt === null ? "" : `+${((at - startedAt) / 1000).toFixed(2)} s`;

/** Heights of a row; they stand in its classes again. */
export const ROW_PX = { full: 48, minor: 24 } as const;

const Minor = ({ row }: { readonly row: RecordSummary }) => (
  <span className="ml-5 min-w-0 flex-1 truncate text-xs leading-6 text-faint" title={row.node ?? undefined}>
    {row.title}: {row.detail}
  </span>
);

const Full = ({
  row,
  isRefusal,
  startedAt,
}: {
  readonly row: RecordSummary;
  readonly isRefusal: boolean;
  readonly startedAt: number | null;
}) => {
  const about = [row.detail, row.node, row.actor].filter(Boolean).join(" · ");

  return (
    <>
      <span className="flex h-5 w-3 shrink-0 items-center">
        <RecordIcon marker={row.marker} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className={cn("truncate text-sm", isRefusal ? "font-mono text-xs leading-5 font-medium text-refused" : "font-medium")}>
            {row.title}
          </span>
          {row.integrity && row.integrity !== "trusted" ? <LabelMark integrity={row.integrity} shapeOnly /> : null}
          <span className="tabular ml-auto shrink-0 text-xs text-muted" title={row.at === null ? undefined : absoluteTime(row.at)}>
            {sinceText(row.at, startedAt)}
          </span>
        </span>
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="truncate" title={about}>
            {about}
          </span>
          <span className="tabular ml-auto flex shrink-0 gap-2">
            {row.tokens > 0 ? <span>{count(row.tokens)} tok</span> : null}
            {row.costMicroUsd > 0 ? <span>{money(row.costMicroUsd)}</span> : null}
            <span className="font-mono text-faint">{row.digest.slice(0, 8)}</span>
          </span>
        </span>
      </span>
    </>
  );
};

type Props = {
  readonly id: string;
  readonly row: RecordSummary;
  readonly startedAt: number | null;
  readonly isSelected: boolean;
  readonly count: number;
  readonly onSelect: (seq: number) => void;
};

/** One record: what, who, where, when, and what it cost. */
export const RecordRow = memo(({ id, row, startedAt, isSelected, count: total, onSelect }: Props) => {
  const isRefusal = row.marker === "refusal" || row.marker === "malformed";

  return (
    // The list has the keyboard (j, k, Home, End); a row takes only the mouse.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option of the list box above
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      aria-setsize={total}
      aria-posinset={row.seq + 1}
      data-marker={row.marker}
      onClick={() => onSelect(row.seq)}
      className={cn(
        "flex gap-2 border-l-2 border-l-transparent px-2 hover:bg-hover/60",
        row.isMinor ? "h-6" : "h-12 border-b py-1",
        isRefusal && MARKS.refused.soft,
        isSelected && "border-l-accent bg-accent-soft hover:bg-accent-soft",
      )}
    >
      <span className={cn("tabular w-8 shrink-0 text-right font-mono text-xs text-faint", row.isMinor ? "leading-6" : "leading-5")}>
        {row.seq}
      </span>
      {row.isMinor ? <Minor row={row} /> : <Full row={row} isRefusal={isRefusal} startedAt={startedAt} />}
    </div>
  );
});
RecordRow.displayName = "RecordRow";
