"use client";

import { useQuery } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useSavedCanvas } from "@/components/canvas/save/use-saved-canvas";
import { CanvasProvider } from "@/components/canvas/state/canvas-context";
import type { Catalog } from "@/components/canvas/state/canvas-store";
import { canvasParams } from "@/components/canvas/state/use-canvas-url";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Graph } from "@/lib/graph/document";
import { explainDenial, type Role } from "@/lib/roles";
import { Canvas } from "./canvas";
import { GraphsLink } from "./graphs-link";

type LoadedProps = {
  readonly draft: { readonly id: string; readonly revision: number; readonly hash: string; readonly document: Graph };
  readonly catalog: Catalog;
  readonly role: Role;
  readonly owner: string;
};

const LoadedEditor = ({ draft, catalog, role, owner }: LoadedProps) => {
  const [{ node, edge }] = useQueryStates(canvasParams);
  const selection = { nodes: node === null ? [] : [node], edges: edge === null ? [] : [edge] };
  const canvas = useSavedCanvas({ draft, catalog, readOnly: explainDenial(role, "graph.edit"), owner, selection });

  return (
    <CanvasProvider canvas={canvas}>
      <Canvas role={role} owner={owner} />
    </CanvasProvider>
  );
};

type Props = {
  readonly id: string;
  readonly role: Role;
  readonly owner: string;
};

export const GraphEditor = ({ id, role, owner }: Props) => {
  const trpc = useTRPC();
  const draft = useQuery(trpc.graphs.get.queryOptions({ id }, { staleTime: Infinity }));
  const catalog = useQuery(trpc.graphs.catalog.queryOptions());
  const failure = draft.error ?? catalog.error;
  if (failure) {
    const { code, message, requestId } = toApiError(failure);
    const isMissing = code === "not_found";

    return (
      <>
        <PageHeader above={<GraphsLink />} title="Graph" />
        <EmptyState
          kind={isMissing ? "no_match" : "failed"}
          title={isMissing ? "Graph not found" : "Could not open the graph"}
          requestId={isMissing ? null : requestId}
          action={isMissing ? null : <Button onClick={() => void Promise.all([draft.refetch(), catalog.refetch()])}>Try again</Button>}
        >
          {message}
        </EmptyState>
      </>
    );
  }
  if (!draft.data || !catalog.data) return <SkeletonRows />;

  return <LoadedEditor key={id} draft={draft.data} catalog={catalog.data} role={role} owner={owner} />;
};
