"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { SnoozeDialog } from "@/components/approvals/aside/snooze-dialog";
import { useAside } from "@/components/approvals/aside/use-aside";
import { foldBursts } from "./bursts";
import { QueueTable } from "./queue-table";
import { NOTHING_SELECTED, select, selectAll, listSelectedRows } from "./selection";
import { TogetherBar } from "./together-bar";
import { useQueueCursor, type useInboxFilter } from "./use-inbox-filter";
import type { Queue } from "./use-queue";

const EMPTY = {
  open: { title: "No open approval requests", text: "When a run needs approval, the request appears here." },
  decided: { title: "No decisions yet", text: "Decided, expired and void requests are listed here." },
} as const;

type Props = {
  readonly inbox: ReturnType<typeof useInboxFilter>;
  readonly queue: Queue;
  readonly onTogether: (ids: readonly string[]) => void;
};

const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { code, message, requestId } = toApiError(error);

  return code === "forbidden" ? (
    <EmptyState kind="not_permitted" title="You don't have access to approvals.">
      {message}
    </EmptyState>
  ) : (
    <EmptyState
      kind="failed"
      title="Approvals could not be loaded"
      requestId={requestId}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};

/** Changes since sorting; sorts again. */
const Since = ({ queue }: { readonly queue: Queue }) => {
  const { newer = 0, gone = 0 } = queue.counts ?? {};
  const told = [...(newer > 0 ? [`${newer} new at the end`] : []), ...(gone > 0 ? [`${gone} decided`] : [])];

  return (
    <div className="flex items-center gap-3 px-6 pb-2 text-xs text-muted empty:hidden max-sm:px-3">
      {told.length === 0 ? null : (
        <>
          <output>Since you opened this list: {told.join(", ")}.</output>
          <Button size="sm" onClick={queue.putInOrder}>
            Update order
          </Button>
        </>
      )}
    </div>
  );
};

/** Rows that fill a screen, and pages searched for them. */
const FEW_ROWS = 30;
const MOST_PAGES = 10;

const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  keys.has(key) ? new Set([...keys].filter((one) => one !== key)) : new Set([...keys, key]);

const Listed = ({ inbox, queue, onTogether }: Props) => {
  const { query, rows, counts } = queue;
  const { search } = inbox;
  const { current, reach, settle } = useQueueCursor();
  const router = useRouter();
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const [snoozing, setSnoozing] = useState<readonly string[]>([]);
  const { bringBack } = useAside();
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const listed = useMemo(() => foldBursts(rows, unfolded), [rows, unfolded]);
  const hrefOf = useCallback((id: string): `/approvals/${string}` => `/approvals/${id}${search}`, [search]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const onMore = hasNextPage
    ? () => {
        if (!isFetchingNextPage) void fetchNextPage();
      }
    : null;
  const pages = query.data?.pages.length ?? 0;
  useEffect(() => {
    // A burst must not keep others off the first screen.
    if (listed.length < FEW_ROWS && pages < MOST_PAGES && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [listed.length, pages, hasNextPage, isFetchingNextPage, fetchNextPage]);
  const shownRows = useMemo(() => listed.map(({ row }) => row), [listed]);
  // Stable: only changed rows render.
  const choose = useCallback((id: string, isRange: boolean) => setSelection((now) => select(now, shownRows, id, isRange)), [shownRows]);
  const open = useCallback(
    (id: string) => {
      const go = () => router.push(hrefOf(id));
      void settle(id).then(go, go);
    },
    [settle, router, hrefOf],
  );

  return (
    <>
      <Since queue={queue} />
      <QueueTable
        listed={listed}
        onUnfold={(key) => setUnfolded((before) => toggled(before, key))}
        isOpenTab={inbox.filter.tab === "open"}
        total={counts?.matching ?? rows.length}
        current={current}
        selection={selection}
        hrefOf={hrefOf}
        onReach={reach}
        onOpen={open}
        onSelect={choose}
        onSelectAll={() => setSelection((now) => selectAll(now, shownRows))}
        onAside={({ id, aside }) => (aside ? bringBack([id]) : setSnoozing([id]))}
        onMore={onMore}
        isLoadingMore={isFetchingNextPage}
      />
      <TogetherBar
        rows={listSelectedRows(selection, rows)}
        onClear={() => setSelection(NOTHING_SELECTED)}
        onSnooze={setSnoozing}
        onTogether={onTogether}
      />
      <SnoozeDialog
        ids={snoozing}
        open={snoozing.length > 0}
        onClose={() => {
          setSnoozing([]);
          setSelection(NOTHING_SELECTED);
        }}
      />
    </>
  );
};

export const QueuePanel = (props: Props) => {
  const { inbox, queue } = props;
  const { query, rows } = queue;
  if (query.isPending) return <SkeletonRows rows={8} />;
  if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  if (rows.length > 0) return <Listed {...props} />;
  if (inbox.isNarrowed) {
    return <EmptyState kind="no_match" title="No matching approvals" action={<Button onClick={inbox.clear}>Clear filters</Button>} />;
  }
  const { title, text } = EMPTY[inbox.filter.tab];

  return (
    <EmptyState kind="nothing_yet" title={title}>
      {text}
    </EmptyState>
  );
};
