"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { DescribeDialog } from "@/components/canvas/architect/describe-dialog";
import { ImportGraph } from "@/components/canvas/transfer/import-graph";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { explainDenial, type Role } from "@/lib/roles";
import { DeletedGraphs } from "./deleted-graphs";
import { GraphTableRow } from "./graph-row";
import { NewGraphDialog } from "./new-graph-dialog";
import { TemplateGallery } from "./template-gallery";
import { useNewDialog } from "./use-new-dialog";

const Graphs = ({ cannotEdit }: { readonly cannotEdit: string | null }) => {
  const trpc = useTRPC();
  const graphs = useQuery(trpc.graphs.list.queryOptions());
  const [tag, setTagInAddress] = useQueryState("tag");
  const gallery = useNewDialog("template");
  const setTag = (next: string | null) => void setTagInAddress(next);
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
          <Button disabledReason={cannotEdit} onClick={() => gallery.setOpen(true)}>
            New from template
          </Button>
        }
      >
        A graph defines which agents and tools run in which order, what each may read and write, and where a person decides. Begin with a
        template, a description or an empty canvas.
      </EmptyState>
    );
  }

  const shown = graphs.data.filter(({ tags }) => tag === null || tags.includes(tag));

  return (
    <>
      {tag === null ? null : (
        <p className="flex items-center gap-2 border-b px-6 py-1.5 text-sm max-sm:px-4">
          Tagged <Badge>{tag}</Badge>
          <Button size="sm" variant="ghost" onClick={() => setTag(null)}>
            Show all graphs
          </Button>
        </p>
      )}
      <Table aria-label="Graphs">
        <TableHead>
          <TableRow>
            <TableHeader>Name</TableHeader>
            <TableHeader>Latest version</TableHeader>
            <TableHeader>Owner</TableHeader>
            <TableHeader>Last run</TableHeader>
            <TableHeader numeric>Success</TableHeader>
            <TableHeader>Changed</TableHeader>
            <ActionsHeader />
          </TableRow>
        </TableHead>
        <TableBody>
          {shown.map((graph) => (
            <GraphTableRow key={graph.id} graph={graph} cannotEdit={cannotEdit} onTag={setTag} />
          ))}
        </TableBody>
      </Table>
    </>
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
            <DeletedGraphs cannotEdit={cannotEdit} />
            <DescribeDialog disabledReason={cannotEdit} />
            <ImportGraph disabledReason={cannotEdit} />
            <TemplateGallery disabledReason={cannotEdit} />
            <NewGraphDialog disabledReason={cannotEdit} />
          </>
        }
      />
      <Graphs cannotEdit={cannotEdit} />
    </>
  );
};
