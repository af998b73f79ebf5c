"use client";

import { useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useEffect, useState } from "react";
import { CanvasProvider } from "@/components/canvas/state/canvas-context";
import { createCanvasStore } from "@/components/canvas/state/canvas-store";
import { createSaver } from "@/components/canvas/state/saver";
import { canvasParams } from "@/components/canvas/state/use-canvas-url";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Graph } from "@/lib/graph/document";
import type { ValidationContext } from "@/lib/graph/problems/facts";
import { whyNot, type Role } from "@/lib/roles";
import { Canvas } from "./canvas";
import { GraphsLink } from "./graphs-link";

type LoadedProps = {
  readonly draft: { readonly id: string; readonly revision: number; readonly document: Graph };
  readonly catalog: ValidationContext;
  readonly role: Role;
};

const LoadedEditor = ({ draft, catalog, role }: LoadedProps) => {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [{ node, edge }] = useQueryStates(canvasParams);
  const [canvas] = useState(() => {
    const selection = { nodes: node === null ? [] : [node], edges: edge === null ? [] : [edge] };
    const store = createCanvasStore({
      graphId: draft.id,
      revision: draft.revision,
      document: draft.document,
      catalog,
      readOnly: whyNot(role, "graph.edit"),
      selection,
    });
    const saver = createSaver(
      store,
      async (request) => {
        const answer = await client.graphs.save.mutate(request);
        const { id, document } = request;
        // The next visit opens what was saved, not what was loaded this time.
        const queryKey: QueryKey = trpc.graphs.get.queryKey({ id });
        if (answer.status === "saved") queryClient.setQueryData(queryKey, { id, revision: answer.revision, document });

        return answer;
      },
      (error) => apiError(error).message,
    );

    return { store, saver };
  });
  useEffect(() => canvas.saver.start(), [canvas]);
  useEffect(() => canvas.store.getState().set({ catalog }), [canvas, catalog]);
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      const { status } = canvas.store.getState();
      if (status !== "saved") event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);

    return () => window.removeEventListener("beforeunload", warn);
  }, [canvas]);

  return (
    <CanvasProvider canvas={canvas}>
      <Canvas role={role} />
    </CanvasProvider>
  );
};

type Props = { readonly id: string; readonly role: Role };

/** Loads a draft and what its nodes may name; nothing can be saved before both are there. */
export const GraphEditor = ({ id, role }: Props) => {
  const trpc = useTRPC();
  const draft = useQuery(trpc.graphs.get.queryOptions({ id }, { staleTime: Infinity }));
  const catalog = useQuery(trpc.graphs.catalog.queryOptions());
  const failure = draft.error ?? catalog.error;
  if (failure) {
    const { code, message, requestId } = apiError(failure);
    const isMissing = code === "not_found";

    return (
      <>
        <PageHeader above={<GraphsLink />} title="Graph" />
        <EmptyState
          kind={isMissing ? "no_match" : "failed"}
          title={isMissing ? "There is no such graph" : "The graph could not be opened"}
          requestId={isMissing ? null : requestId}
          action={isMissing ? null : <Button onClick={() => void Promise.all([draft.refetch(), catalog.refetch()])}>Try again</Button>}
        >
          {message}
        </EmptyState>
      </>
    );
  }
  if (!draft.data || !catalog.data) return <SkeletonRows />;

  return <LoadedEditor key={id} draft={draft.data} catalog={catalog.data} role={role} />;
};
