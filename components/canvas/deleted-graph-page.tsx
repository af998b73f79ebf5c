"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { explainDenial, type Role } from "@/lib/roles";

type Props = { readonly id: string; readonly name: string; readonly role: Role };

export const DeletedGraphPage = ({ id, name, role }: Props) => {
  const router = useRouter();
  const restore = useMutation(useTRPC().graphs.restore.mutationOptions({ onSuccess: () => router.refresh() }));

  return (
    <EmptyState
      isPage
      kind="no_match"
      title={`${name} was deleted`}
      action={
        <span className="inline-flex gap-2">
          <Link href={`/runs?graph=${id}`} className={buttonStyle()}>
            Show its runs
          </Link>
          <Button
            variant="primary"
            disabledReason={explainDenial(role, "graph.edit")}
            pending={restore.isPending ? "Restoring…" : null}
            onClick={() => restore.mutate({ id })}
          >
            Restore graph
          </Button>
        </span>
      }
    >
      Its draft, versions, runs and records are kept and can be verified. It starts no runs until it is restored.
      {restore.error ? <Callout kind="refused" alert title={toApiError(restore.error).message} /> : null}
    </EmptyState>
  );
};
