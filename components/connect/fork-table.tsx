"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { QueryState } from "@/components/ui/query-state";

type Fork = Outputs["connect"]["forks"]["list"][number];

const keptUntil = timeColumn<Fork>("Kept until", ({ retainUntil }) => retainUntil, "no limit");

const COLUMNS: readonly Column<Fork>[] = [
  {
    name: "Fork",
    cell: ({ runId }) => (
      <Link href={`/runs/${runId}`} className="font-mono text-xs hover:underline">
        {runId.slice(0, 8)}
      </Link>
    ),
  },
  {
    name: "Parent",
    className: "font-mono text-xs",
    cell: ({ parentRun, forkSeq }) => (
      <Link href={`/runs/${parentRun}?t=${forkSeq}`} className="hover:underline">
        {parentRun.slice(0, 8)} · record {forkSeq}
      </Link>
    ),
  },
  { name: "Token", cell: ({ tokenName }) => tokenName },
  { name: "Mode", cell: ({ simulated }) => (simulated ? "simulated" : "live") },
  { name: "Status", cell: ({ status }) => status },
  timeColumn("Created", ({ createdAt }) => createdAt),
  { ...keptUntil, cell: (fork) => (fork.collectedAt === null ? keptUntil.cell(fork) : "destroyed") },
];

const NONE = (
  <EmptyState kind="nothing_yet" title="No forks yet">
    Forks that agents create appear here. A fork inherits the run&apos;s memory but none of its approvals. When it expires, its values are
    destroyed and its ledger stays.
  </EmptyState>
);

export const ForkTable = () => (
  <QueryState query={useQuery(useTRPC().connect.forks.list.queryOptions())} what="forks" rows={4}>
    {(forks) => <ListTable label="Forks by agents" columns={COLUMNS} rows={forks} rowKey={({ runId }) => runId} empty={NONE} />}
  </QueryState>
);
