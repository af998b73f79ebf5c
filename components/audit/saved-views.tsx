"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { notify } from "@/components/ui/toast";
import { BUILT_IN, filterQuery, type NamedQuery, type TrustFilter } from "@/lib/engine/labels/trust-filter";

const tell = (error: unknown) => notify({ title: toApiError(error).message, tone: "error" });

const useSavedViews = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries(trpc.trust.queries.queryFilter());

  return {
    kept: useQuery(trpc.trust.queries.queryOptions()).data ?? [],
    keep: useMutation(trpc.trust.keep.mutationOptions({ onSuccess: refresh, onError: tell })),
    forget: useMutation(trpc.trust.forget.mutationOptions({ onSuccess: refresh, onError: tell })),
  };
};

const ViewLink = ({ view, current }: { readonly view: NamedQuery; readonly current: string }) => {
  const query = filterQuery(view.filter);
  const isCurrent = query === current;

  return (
    <Link
      href={`/audit/trust?${query}`}
      aria-current={isCurrent ? "true" : undefined}
      className={cn(
        "inline-flex h-7 items-center rounded-md border px-2 text-xs",
        isCurrent ? "border-transparent bg-accent-soft font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink",
      )}
    >
      {view.name}
    </Link>
  );
};

const SaveViewDialog = ({ filter, keep }: { readonly filter: TrustFilter; readonly keep: ReturnType<typeof useSavedViews>["keep"] }) => {
  const [isOpen, setIsOpen] = useState(false);
  const [name, setName] = useState("");

  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => setIsOpen(true)}>
        Save view…
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Save view" description="Only you can see your saved views.">
        <form
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            keep.mutate({ name, filter }, { onSuccess: () => setIsOpen(false) });
          }}
        >
          <Field label="Name" hint="Replaces your saved view with the same name.">
            <Input value={name} maxLength={80} required onChange={(event) => setName(event.currentTarget.value)} />
          </Field>
          <div className="flex justify-end">
            <Button type="submit" variant="primary" pending={keep.isPending ? "Saving…" : null}>
              Save
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
};

/** Built-in and saved filters. */
export const SavedViews = ({ filter }: { readonly filter: TrustFilter }) => {
  const { kept, keep, forget } = useSavedViews();
  const current = filterQuery(filter);

  return (
    <nav aria-label="Views" className="flex flex-wrap items-center gap-1.5 border-b bg-surface px-6 py-2">
      {BUILT_IN.map((view) => (
        <ViewLink key={view.name} view={view} current={current} />
      ))}
      {kept.map((view) => (
        <span key={view.id} className="inline-flex items-center">
          <ViewLink view={view} current={current} />
          <Button size="icon" variant="ghost" aria-label={`Remove ${view.name}`} onClick={() => forget.mutate({ id: view.id })}>
            <X aria-hidden />
          </Button>
        </span>
      ))}
      <SaveViewDialog filter={filter} keep={keep} />
    </nav>
  );
};
