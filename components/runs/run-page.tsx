"use client";

import { FilesContext } from "@/components/values/cell-files";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { isTerminal } from "@/lib/engine/event";
import type { Role } from "@/lib/roles";
import type { RunState } from "@/lib/engine/state";
import { CallsUnderWay } from "./pending-calls";
import { ConnectionNote } from "./connection-note";
import type { FeedState } from "./feed/feed";
import { queryFirstRecords } from "./feed/ranges";
import { createServerSource } from "./feed/server-source";
import { useFeed } from "./feed/use-feed";
import { ForkRun } from "./fork-run";
import { useLiveRun } from "./live/use-live-run";
import { getNodeNames } from "./node-names";
import { OutageNote } from "./outage-note";
import { WaitNote } from "./wait-note";
import { RunHeader } from "./run-header";
import { RunTimeline } from "./run-timeline";
import { SaidNow } from "./said-now";
import { useRecordCursor } from "./use-record-cursor";
import type { RunDetails } from "./types";
import { VerifyDialog } from "./verify-dialog";

/** Finds records after the end, such as late decisions. */
const REFRESH_MS = 15_000;

type ViewProps = { readonly details: RunDetails; readonly role: Role; readonly auditor: boolean };

const standing = ({ timeline, reach, total }: FeedState, run: RunDetails["run"]): RunState => {
  const state = timeline.stateAt(reach - 1);
  if (reach > 0 && reach === total) return state;

  return {
    ...state,
    status: run.status,
    totalTokens: run.totalTokens,
    costMicroUsd: run.totalMicroUsd,
    refusals: run.refusals,
    version: total,
  };
};

const RunView = ({ details, role, auditor }: ViewProps) => {
  const { run, graph } = details;
  const client = useTRPCClient();
  const source = useMemo(() => createServerSource(client, run.id), [client, run.id]);
  const { moved, link } = useLiveRun(run.id, !isTerminal(run.status));
  const total = Math.max(run.version, moved?.version ?? 0);
  const cursor = useRecordCursor(total);
  const names = useMemo(() => getNodeNames(graph), [graph]);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [first] = useState(() => queries.getQueryData(trpc.runs.records.queryKey(queryFirstRecords(run.id, cursor.selected, total))));
  const feed = useFeed({ source, total, want: cursor.selected, names, first });
  const [isVerifying, setIsVerifying] = useState(false);
  const people = useMemo(() => ({ [run.initiatorId]: run.initiatorName }), [run.initiatorId, run.initiatorName]);
  const isOver = isTerminal(moved?.status ?? run.status);
  const now = standing(feed, run);

  return (
    <FilesContext value={run.id}>
      <RunHeader
        details={details}
        state={now}
        begun={feed.timeline.stateAt(0)}
        names={names}
        role={role}
        onVerify={() => setIsVerifying(true)}
      />
      <OutageNote runId={run.id} state={now} role={role} />
      <WaitNote runId={run.id} graphHash={run.graphHash} state={now} role={role} />
      {isOver ? null : <CallsUnderWay runId={run.id} state={now} />}
      {isOver ? null : <SaidNow runId={run.id} state={now} names={names} />}
      <RunTimeline
        feed={feed}
        cursor={cursor}
        graph={graph}
        names={names}
        people={people}
        revealIn={auditor ? run.id : null}
        note={
          <ConnectionNote
            isOver={isOver}
            isWhole={feed.rows.length >= feed.total && feed.reach >= feed.total}
            link={link}
            error={feed.error}
          />
        }
        renderActions={(seq, state, begun) => (
          <ForkRun run={run} role={role} after={seq} graph={graph} names={names} state={state} begun={begun} />
        )}
      />
      <VerifyDialog
        runId={run.id}
        open={isVerifying}
        onOpenChange={setIsVerifying}
        onJump={(seq) => {
          cursor.select(seq, "visit");
          setIsVerifying(false);
        }}
      />
    </FilesContext>
  );
};

type Props = { readonly runId: string; readonly role: Role; readonly auditor: boolean };

export const RunPage = ({ runId, role, auditor }: Props) => {
  const trpc = useTRPC();
  const details = useQuery(trpc.runs.get.queryOptions({ runId }, { refetchInterval: REFRESH_MS }));
  if (details.isPending) return <SkeletonRows rows={12} />;
  if (details.isError) {
    const { code, message, requestId } = toApiError(details.error);

    return code === "not_found" ? (
      <EmptyState
        isPage
        kind="no_match"
        title="Run not found"
        action={
          <Link href="/runs" className={buttonStyle()}>
            All runs
          </Link>
        }
      >
        It may belong to another workspace, or the link may be incomplete.
      </EmptyState>
    ) : (
      <EmptyState
        isPage
        kind="failed"
        title="The run could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void details.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }

  return <RunView key={runId} details={details.data} role={role} auditor={auditor} />;
};
