"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo, useState } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Role } from "@/lib/roles";
import { ForkRun } from "./fork-run";
import { nodeNames } from "./node-names";
import { NodeStrip } from "./node-strip";
import { outermostNode } from "./places";
import { RunHeader } from "./run-header";
import { RunPanes } from "./run-panes";
import { makeTimeline } from "./timeline";
import { useRecordCursor } from "./use-record-cursor";
import { useRunLedger } from "./use-run-ledger";
import type { RunDetails } from "./types";
import { VerifyDialog } from "./verify-dialog";
import { visitedNodes } from "./visited-nodes";

/** Finds what is recorded after a run has ended, such as a decision that came too late. */
const REFRESH_MS = 15_000;

type ViewProps = { readonly details: RunDetails; readonly role: Role; readonly auditor: boolean };

const RunView = ({ details, role, auditor }: ViewProps) => {
  const { run, graph } = details;
  const ledger = useRunLedger(run.id, run.version);
  const timeline = useMemo(() => makeTimeline(ledger.entries), [ledger.entries]);
  const cursor = useRecordCursor(ledger.entries.length);
  const [isVerifying, setIsVerifying] = useState(false);
  const now = timeline.stateAt(ledger.entries.length - 1);
  const then = timeline.stateAt(cursor.selected);
  const visited = useMemo(() => visitedNodes(ledger.entries, cursor.selected), [ledger.entries, cursor.selected]);
  const protectedKeys = useMemo(() => new Set(graph.memory.filter((key) => key.protected).map((key) => key.key)), [graph]);
  const names = useMemo(() => nodeNames(graph), [graph]);
  const people = useMemo(() => ({ [run.initiatorId]: run.initiatorName }), [run.initiatorId, run.initiatorName]);
  const before = timeline.stateAt(cursor.selected - 1);
  const inside = before.frames[0]?.node ?? then.frames[0]?.node;
  const acting = inside ?? ledger.entries[cursor.selected]?.record?.node ?? then.currentNode;

  return (
    <>
      <RunHeader details={details} state={now} role={role} onVerify={() => setIsVerifying(true)} />
      <NodeStrip graph={graph} active={acting} visited={visited} waiting={then.status === "waiting" ? outermostNode(then) : null} />
      <RunPanes
        ledger={ledger}
        timeline={timeline}
        cursor={cursor}
        names={names}
        protectedKeys={protectedKeys}
        people={people}
        revealIn={auditor ? run.id : null}
        actions={
          <ForkRun run={run} role={role} after={cursor.selected} graph={graph} names={names} state={then} begun={timeline.stateAt(0)} />
        }
      />
      <VerifyDialog
        runId={run.id}
        open={isVerifying}
        onOpenChange={setIsVerifying}
        onJump={(seq) => {
          cursor.select(seq);
          setIsVerifying(false);
        }}
      />
    </>
  );
};

type Props = { readonly runId: string; readonly role: Role; readonly auditor: boolean };

/** One run: its records, its state at each of them, and the proof. */
export const RunPage = ({ runId, role, auditor }: Props) => {
  const trpc = useTRPC();
  const details = useQuery(trpc.runs.get.queryOptions({ run_id: runId }, { refetchInterval: REFRESH_MS }));
  if (details.isPending) return <SkeletonRows rows={12} />;
  if (details.isError) {
    const { code, message, requestId } = apiError(details.error);

    return code === "not_found" ? (
      <EmptyState
        isPage
        kind="no_match"
        title="There is no such run"
        action={
          <Link href="/runs" className={buttonStyle()}>
            All runs
          </Link>
        }
      >
        It may have been another workspace's, or the address is incomplete.
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

  return <RunView details={details.data} role={role} auditor={auditor} />;
};
