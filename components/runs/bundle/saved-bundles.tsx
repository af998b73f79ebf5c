"use client";

import Link from "next/link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { count } from "@/lib/format";
import { describeTrustEvent } from "./bundle-status";
import { useKeptBundles } from "./use-bundles";

/** Bundles saved in this browser. */
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
    <Table aria-label="Saved bundles">
      <TableHead>
        <tr>
          <TableHeader>File</TableHeader>
          <TableHeader>Graph</TableHeader>
          <TableHeader>Run</TableHeader>
          <TableHeader numeric>Records</TableHeader>
          <TableHeader>Trust</TableHeader>
          <TableHeader>Added</TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {kept.data.map((bundle) => (
          <TableRow key={bundle.id}>
            <TableCell>
              <Link href={`/runs/import?bundle=${bundle.id}`} className="font-medium break-all hover:underline">
                {bundle.name}
              </Link>
            </TableCell>
            <TableCell>{bundle.graphName}</TableCell>
            <TableCell className="font-mono text-xs text-muted">{bundle.run.slice(0, 8)}</TableCell>
            <TableCell numeric>{count(bundle.records)}</TableCell>
            <TableCell className="text-xs text-muted">{describeTrustEvent(bundle.trust)}</TableCell>
            <TableCell className="whitespace-nowrap text-muted">
              <RelativeTime at={bundle.addedAt} />
            </TableCell>
            <TableCell>
              <Button size="sm" variant="ghost" aria-label={`Remove ${bundle.name}`} onClick={() => remove.mutate(bundle.id)}>
                Remove
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
};
