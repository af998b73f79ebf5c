"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { QueryState } from "@/components/ui/query-state";

const DeletedList = ({ cannotEdit }: { readonly cannotEdit: string | null }) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const deleted = useQuery(trpc.graphs.listDeleted.queryOptions());
  const restore = useMutation(
    trpc.graphs.restore.mutationOptions({
      onSuccess: () =>
        Promise.all([
          queries.invalidateQueries({ queryKey: trpc.graphs.list.queryKey() }),
          queries.invalidateQueries({ queryKey: trpc.graphs.listDeleted.queryKey() }),
        ]),
    }),
  );

  return (
    <QueryState query={deleted}>
      {(graphs) =>
        graphs.length === 0 ? (
          <EmptyState kind="nothing_yet" title="No deleted graphs" className="py-8">
            Deleted graphs keep their versions, runs and records.
          </EmptyState>
        ) : (
          <>
            {restore.error ? <Callout kind="refused" alert className="mb-2" title={toApiError(restore.error).message} /> : null}
            <ul className="divide-y">
              {graphs.map(({ id, name, version }) => (
                <li key={id} className="flex min-h-10 items-center gap-3">
                  <span className="min-w-0 flex-1 truncate">
                    <span className="font-medium">{name}</span>{" "}
                    <span className="text-xs text-muted">{version === null ? "not published" : `version ${version.number}`}</span>
                  </span>
                  <Button
                    size="sm"
                    aria-label={`Restore ${name}`}
                    disabledReason={cannotEdit}
                    pending={restore.isPending && restore.variables.id === id ? "Restoring…" : null}
                    onClick={() => restore.mutate({ id })}
                  >
                    Restore
                  </Button>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </QueryState>
  );
};

export const DeletedGraphs = ({ cannotEdit }: { readonly cannotEdit: string | null }) => {
  const [isOpen, setIsOpen] = useState(false);

  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        Deleted graphs
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Deleted graphs" size="lg">
        {isOpen ? <DeletedList cannotEdit={cannotEdit} /> : null}
      </Dialog>
    </>
  );
};
