import { memo } from "react";
import { cn } from "@/components/ui/cn";
import { MARKS } from "@/components/ui/marks/marks";
import { formatAbsoluteTime, count, formatMoney } from "@/lib/format";
import { LabelMark } from "@/components/values/label-mark";
import { RecordIcon } from "./record-icon";
import type { RecordSummary } from "./record-summary";

/** Since the start: `+1.24 s`, `+12:05`, `+3:04:00`. */
const sinceText = (at: number | null, startedAt: number | null): string => {
  if (at === null || startedAt === null) return "";
  const seconds = (at - startedAt) / 1000;
  if (seconds < 60) return `+${seconds.toFixed(2)} s`;
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const two = (part: number) => String(part).padStart(2, "0");

  return hours > 0 ? `+${hours}:${two(minutes)}:${two(rest)}` : `+${minutes}:${two(rest)}`;
};

/** Fixed, so unloaded rows have a place; also in the classes. */
export const ROW_PX = 40;

const COLUMNS =
  "grid grid-cols-[2.75rem_0.875rem_minmax(0,1fr)_4.25rem_4.75rem] gap-x-2 px-2 @max-[26rem]:grid-cols-[2rem_0.875rem_minmax(0,1fr)_4.75rem]";

export const RecordHead = () => (
  <div
    aria-hidden
    className={cn(COLUMNS, "h-7 shrink-0 items-center border-b border-l-2 border-l-transparent bg-sunken/60 text-xs text-muted")}
  >
    <span className="text-right">Seq</span>
    <span />
    <span className="truncate">Record, node, actor</span>
    <span className="text-right @max-[26rem]:hidden">Usage</span>
    <span className="text-right">Time, digest</span>
  </div>
);

type RowProps = { readonly row: RecordSummary; readonly startedAt: number | null };

const Cells = ({ row, startedAt }: RowProps) => {
  const isRefusal = row.marker === "refusal" || row.marker === "malformed";
  const about = [row.detail, row.node, row.actor].filter(Boolean).join(" · ");

  return (
    <>
      <span className="flex h-5 items-center">{row.isMinor ? null : <RecordIcon marker={row.marker} />}</span>
      <span className="min-w-0">
        <span className="flex h-5 items-center gap-1.5">
          <span
            className={cn(
              "truncate text-sm",
              isRefusal ? "font-mono text-xs font-medium text-refused" : row.isMinor ? "text-xs text-muted" : "font-medium",
            )}
          >
            {row.title}
          </span>
          {row.integrity && row.integrity !== "trusted" ? <LabelMark integrity={row.integrity} shapeOnly /> : null}
        </span>
        <span className="block truncate text-xs leading-4 text-muted" title={about}>
          {about}
        </span>
      </span>
      <span className="tabular text-right text-xs text-muted @max-[26rem]:hidden">
        <span className="block leading-5">{row.tokens > 0 ? count(row.tokens) : ""}</span>
        <span className="block leading-4">{row.costMicroUsd > 0 ? formatMoney(row.costMicroUsd) : ""}</span>
      </span>
      <span className="tabular text-right text-xs text-muted">
        <span className="block leading-5" title={row.at === null ? undefined : formatAbsoluteTime(row.at)}>
          {sinceText(row.at, startedAt)}
        </span>
        <span className="block font-mono leading-4 text-faint">{row.digest.slice(0, 8)}</span>
      </span>
    </>
  );
};

type Props = {
  readonly id: string;
  readonly seq: number;
  /** Undefined while loading. */
  readonly row: RecordSummary | undefined;
  readonly startedAt: number | null;
  readonly isSelected: boolean;
  readonly position: number;
  readonly count: number;
  readonly onSelect: (seq: number) => void;
};

export const RecordRow = memo(({ id, seq, row, startedAt, isSelected, position, count: total, onSelect }: Props) => (
  // The list handles keys.
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
  <div
    id={id}
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an option of the list box above
    role="option"
    tabIndex={-1}
    aria-selected={isSelected}
    aria-setsize={total}
    aria-posinset={position}
    aria-busy={row === undefined || undefined}
    data-marker={row?.marker}
    onClick={() => onSelect(seq)}
    className={cn(
      COLUMNS,
      "h-10 border-b border-l-2 border-l-transparent hover:bg-hover/60",
      row && (row.marker === "refusal" || row.marker === "malformed") && MARKS.refused.soft,
      isSelected && "border-l-accent bg-accent-soft hover:bg-accent-soft",
    )}
  >
    <span className="tabular text-right font-mono text-xs leading-5 text-faint">{seq}</span>
    {row ? (
      <Cells row={row} startedAt={startedAt} />
    ) : (
      <span className="col-span-4 flex items-center">
        <span className="h-2.5 w-2/3 rounded-sm bg-sunken" />
        <span className="sr-only">Loading</span>
      </span>
    )}
  </div>
));
RecordRow.displayName = "RecordRow";
