"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { DescribeDialog } from "@/components/canvas/architect/describe-dialog";
import { WaitingLink } from "@/components/canvas/architect/waiting-link";
import { ImportGraph } from "@/components/canvas/transfer/import-graph";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { explainDenial, type Role } from "@/lib/roles";
import { NewGraphDialog } from "./new-graph-dialog";

const Graphs = ({ cannotEdit }: { readonly cannotEdit: string | null }) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  if (graphs.isError) {
    const { message, requestId } = toApiError(graphs.error);

    return (
      <EmptyState kind="failed" title="Could not load graphs" requestId={requestId}>
        {message}
      </EmptyState>
    );
  }
  if (!graphs.data) return <SkeletonRows />;
  if (graphs.data.length === 0) {
    return (
      <EmptyState
        kind="nothing_yet"
        title="No graphs yet"
        action={
          <span className="inline-flex gap-2">
            <DescribeDialog disabledReason={cannotEdit} />
            <ImportGraph disabledReason={cannotEdit} />
            <NewGraphDialog disabledReason={cannotEdit} />
          </span>
        }
      >
        A graph defines which agents and tools run in which order, what each may read and write, and where a person decides.
      </EmptyState>
    );
  }

  return (
    <Table aria-label="Graphs">
      <TableHead>
        <TableRow>
          <TableHeader>Name</TableHeader>
          <TableHeader>Latest version</TableHeader>
          <TableHeader numeric>Draft revision</TableHeader>
          <TableHeader>Changed</TableHeader>
        </TableRow>
      </TableHead>
      <TableBody>
        {graphs.data.map((graph) => (
          <TableRow key={graph.id}>
            <TableCell>
              <Link href={`/graphs/${graph.id}`} className="font-medium hover:text-accent">
                {graph.name}
              </Link>
            </TableCell>
            <TableCell>
              {graph.version ? (
                <span className="inline-flex items-center gap-2">
                  <span className="tabular">v{graph.version.number}</span>
                  <DigestChip digest={graph.version.hash} label="version" />
                </span>
              ) : (
                <span className="text-muted">Not published</span>
              )}
              <WaitingLink graphId={graph.id} />
            </TableCell>
            <TableCell numeric>{graph.revision}</TableCell>
            <TableCell>
              <RelativeTime at={graph.updatedAt} className="text-muted" />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
};

export const GraphList = ({ role }: { readonly role: Role }) => {
  const cannotEdit = explainDenial(role, "graph.edit");

  return (
    <>
      <PageHeader
        title="Graphs"
        description="Workflows of agents and tools: drawn, checked and published as versions."
        actions={
          <>
            <DescribeDialog disabledReason={cannotEdit} />
            <ImportGraph disabledReason={cannotEdit} />
            <NewGraphDialog disabledReason={cannotEdit} />
          </>
        }
      />
      <Graphs cannotEdit={cannotEdit} />
    </>
  );
};
