"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { DataTable, timeColumn, type Column } from "@/components/ui/list-table";
import { SkeletonRows } from "@/components/ui/skeleton";
import { count } from "@/lib/format";
import { describeTrustEvent } from "./bundle-status";
import type { KeptBundle } from "./bundle-store";
import { useKeptBundles } from "./use-bundles";

const COLUMNS: readonly Column<KeptBundle>[] = [
  {
    name: "File",
    cell: ({ id, name }) => (
      <Link href={`/runs/import?bundle=${id}`} className="font-medium break-all hover:underline">
        {name}
      </Link>
    ),
  },
  { name: "Graph", cell: ({ graphName }) => graphName },
  { name: "Run", className: "font-mono text-xs text-muted", cell: ({ run }) => run.slice(0, 8) },
  { name: "Records", numeric: true, cell: ({ records }) => count(records) },
  { name: "Trust", className: "text-xs text-muted", cell: ({ trust }) => describeTrustEvent(trust) },
  timeColumn("Added", ({ addedAt }) => addedAt),
];

export const KeptBundles = ({ userId }: { readonly userId: string }) => {
  const { kept, remove } = useKeptBundles(userId);
  if (kept.isPending) return <SkeletonRows rows={3} />;
  if (kept.isError) {
    return (
      <EmptyState
        kind="failed"
        title="Saved bundles could not be loaded"
        action={<Button onClick={() => void kept.refetch()}>Try again</Button>}
      >
        Private windows may not store data.
      </EmptyState>
    );
  }
  if (kept.data.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No bundles yet">
        Export a run from its page or with countersign export, then open the file here.
      </EmptyState>
    );
  }

  return (
    <DataTable
      label="Saved bundles"
      columns={COLUMNS}
      rows={kept.data}
      rowKey={({ id }) => id}
      renderActions={({ id, name }) => (
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={() => remove.mutate(id)}>
          Remove
        </Button>
      )}
    />
  );
};
