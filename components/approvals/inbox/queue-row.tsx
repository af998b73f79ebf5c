import Link from "next/link";
import { memo } from "react";
import { cn } from "@/components/ui/cn";
import { toVisibleText } from "@/components/values/visible-text";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { ApprovalStatusMark } from "@/components/approvals/approval-status";
import { Countdown } from "@/components/approvals/countdown";
import { GATE_REASON_TEXT } from "@/components/approvals/gate-reasons";
import type { QueueRow, Summary } from "@/components/approvals/types";
import type { Burst } from "./bursts";
import { AUTHORITY_WORD, RiskMark } from "./risk-mark";
import { MOST_TOGETHER } from "./selection";

/** Of a table row; a card on a phone is measured. */
export const ROW_PX = 48;

export const getRowLinkId = (id: string): string => `approval-${id}`;

type Props = {
  readonly row: QueueRow;
  readonly summary: Summary | undefined;
  readonly index: number;
  readonly href: `/approvals/${string}`;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly measure: (row: HTMLTableRowElement | null) => void;
  readonly onSelect: (id: string, isRange: boolean) => void;
  readonly onReach: (id: string) => void;
  readonly onOpen: (id: string) => void;
  readonly burst: Burst | null;
  readonly onUnfold: (key: string) => void;
};

const ACTION = "relative z-1 inline-flex min-h-6 shrink-0 items-center font-medium text-accent underline underline-offset-2";

const MoreOfBurst = ({ burst, onUnfold }: { readonly burst: Burst; readonly onUnfold: Props["onUnfold"] }) => (
  <>
    <button type="button" aria-expanded={burst.isOpen} className={ACTION} onClick={() => onUnfold(burst.key)}>
      {burst.isOpen ? "Fold" : "Show"} {burst.rest} more from this {burst.by} within an hour
    </button>
    <Link href={`/approvals?together=${burst.ids.slice(0, MOST_TOGETHER).join(",")}`} prefetch={false} className={ACTION}>
      Review together
    </Link>
  </>
);

const Rules = ({ rules = [] }: { readonly rules: readonly string[] | undefined }) =>
  rules.length === 0 ? null : (
    <span className="shrink-0" title={toVisibleText(rules.join(" "))}>
      <Badge>{rules.length === 1 ? "Workspace rule" : `${rules.length} workspace rules`}</Badge>
    </span>
  );

const Under = ({ row, summary, burst, onUnfold }: Pick<Props, "row" | "summary" | "burst" | "onUnfold">) => (
  <span className="flex items-center gap-2 overflow-hidden text-xs text-muted max-sm:flex-wrap">
    {row.simulated ? <Badge>Simulation</Badge> : null}
    <Rules rules={summary?.rules} />
    {summary?.barred && row.status === "open" ? (
      <span className="shrink-0 font-medium max-sm:shrink">You can&apos;t decide. {summary.barred}</span>
    ) : null}
    {burst ? <MoreOfBurst burst={burst} onUnfold={onUnfold} /> : null}
    {row.signals.length === 0 ? null : (
      <span
        className={cn(
          "truncate max-sm:whitespace-normal",
          row.risk === "high" ? "min-w-0 font-semibold text-tainted" : "shrink-0 font-medium",
        )}
      >
        {row.signals.length} {row.signals.length === 1 ? "signal" : "signals"}
        {row.risk === "high" && summary?.signals[0] ? `: ${toVisibleText(summary.signals[0].text)}` : ""}
      </span>
    )}
    <span className="min-w-0 shrink-4 truncate">
      {(summary?.summary ?? null) === null ? GATE_REASON_TEXT[row.reason] : toVisibleText(row.prompt)}
      {row.agent === null ? "" : `, proposed by ${row.agent}`}
    </span>
    {row.steered === true ? (
      <Mark kind="tainted" bare>
        steered
        <span className="sr-only"> by untrusted data</span>
      </Mark>
    ) : null}
    {row.escalatedAt !== null && row.status === "open" ? (
      <span className="shrink-0 font-medium text-waiting">
        Escalated to {row.escalatedGroup ?? row.escalatedTo} <RelativeTime at={row.escalatedAt} />
      </span>
    ) : null}
    {row.notMine > 0 && row.status === "open" ? (
      <span className="shrink-0">
        {row.notMine} {row.notMine === 1 ? "person says" : "people say"} it is not theirs
      </span>
    ) : null}
    {row.newer ? <span className="font-medium text-waiting">new</span> : null}
  </span>
);

export const QueueTableRow = memo(
  ({ row, summary, index, href, isCurrent, isSelected, measure, onSelect, onReach, onOpen, burst, onUnfold }: Props) => {
    const isOpen = row.status === "open";
    const title = toVisibleText(summary?.summary ?? row.prompt);

    return (
      <TableRow
        ref={measure}
        data-index={index}
        className="relative h-12 max-sm:h-auto"
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        data-current={isCurrent || undefined}
      >
        <TableCell className="w-8 pr-0">
          {isOpen ? (
            <label className="relative z-1 flex size-6 items-center justify-center">
              <span className="sr-only">Select {title}</span>
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isSelected}
                readOnly
                onClick={(event) => onSelect(row.id, event.shiftKey)}
              />
            </label>
          ) : null}
        </TableCell>
        <TableCell>{isOpen ? <RiskMark risk={row.risk} /> : <ApprovalStatusMark status={row.status} />}</TableCell>
        <TableCell className="w-full max-w-0 min-w-64">
          {/* One focus stop for the whole row. */}
          <Link
            id={getRowLinkId(row.id)}
            href={href}
            prefetch={false}
            aria-current={isCurrent || undefined}
            // Ignores clicks, which also focus but navigate.
            onFocus={(event) => {
              if (event.currentTarget.matches(":focus-visible")) onReach(row.id);
            }}
            onNavigate={(event) => {
              event.preventDefault();
              onOpen(row.id);
            }}
            className="block truncate font-medium max-sm:whitespace-normal after:absolute after:inset-0 hover:underline"
          >
            {title}
          </Link>
          <Under row={row} summary={summary} burst={burst} onUnfold={onUnfold} />
        </TableCell>
        <TableCell className="text-xs whitespace-nowrap text-muted max-xl:hidden max-sm:hidden">
          {row.authority === null ? "Unknown" : AUTHORITY_WORD[row.authority]}
        </TableCell>
        <TableCell className="max-w-48 truncate max-xl:max-w-36 max-lg:hidden">
          {row.graphName} <span className="font-mono text-xs text-faint">{row.runId.slice(0, 8)}</span>
        </TableCell>
        <TableCell className="max-w-36 truncate font-mono text-xs text-muted max-2xl:hidden max-sm:hidden">{row.node}</TableCell>
        <TableCell className="text-muted max-lg:hidden">{row.mine ? "you" : row.named ? "named approvers" : row.role}</TableCell>
        <TableCell className="whitespace-nowrap text-muted max-xl:hidden">
          <RelativeTime at={row.openedAt} />
        </TableCell>
        <TableCell numeric>
          {isOpen ? (
            <Countdown until={row.expiresAt} />
          ) : row.resolvedAt === null ? null : (
            <RelativeTime at={row.resolvedAt} className="text-muted" />
          )}
        </TableCell>
      </TableRow>
    );
  },
);
