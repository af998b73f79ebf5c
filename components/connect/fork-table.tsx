"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { TableCell, TableRow } from "@/components/ui/table";
import { ListTable } from "@/components/ui/list-table";
import { LoadFailed } from "@/components/ui/load-failed";

const COLUMNS = ["Fork", "Parent", "Token", "Mode", "Status", "Created", "Kept until"] as const;

export const ForkTable = () => {
  const { data, error, refetch } = useQuery(useTRPC().connect.forks.list.queryOptions());
  if (error) return <LoadFailed what="forks" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  if (data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No forks yet">
        Forks that agents create appear here. A fork inherits the run&apos;s memory but none of its approvals. When it expires, its values
        are destroyed and its ledger stays.
      </EmptyState>
    );
  }

  return (
    <ListTable label="Forks by agents" columns={COLUMNS}>
      {data.map((fork) => (
        <TableRow key={fork.runId}>
          <TableCell>
            <Link href={`/runs/${fork.runId}`} className="font-mono text-xs hover:underline">
              {fork.runId.slice(0, 8)}
            </Link>
          </TableCell>
          <TableCell className="font-mono text-xs">
            <Link href={`/runs/${fork.parentRun}?t=${fork.forkSeq}`} className="hover:underline">
              {fork.parentRun.slice(0, 8)} · record {fork.forkSeq}
            </Link>
          </TableCell>
          <TableCell>{fork.tokenName}</TableCell>
          <TableCell>{fork.simulated ? "simulated" : "live"}</TableCell>
          <TableCell>{fork.status}</TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <RelativeTime at={fork.createdAt} />
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            {fork.collectedAt !== null ? "destroyed" : fork.retainUntil === null ? "no limit" : <RelativeTime at={fork.retainUntil} />}
          </TableCell>
        </TableRow>
      ))}
    </ListTable>
  );
};
