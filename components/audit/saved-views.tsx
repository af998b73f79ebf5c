"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import Link from "next/link";
import { z } from "zod";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { notify } from "@/components/ui/toast";
import { visibleNameSchema } from "@/lib/visible-name";
import { BUILT_IN, filterQuery, type NamedQuery, type TrustFilter } from "@/lib/engine/labels/trust-filter";

const tell = (error: unknown) => notify({ title: toApiError(error).message, tone: "error" });

const useSavedViews = () => {
  const trpc = useTRPC();
  const options = { onSuccess: useRefresh(trpc.trust.queries.queryFilter()), onError: tell };

  return {
    kept: useQuery(trpc.trust.queries.queryOptions()).data ?? [],
    keep: useMutation(trpc.trust.keep.mutationOptions(options)),
    forget: useMutation(trpc.trust.forget.mutationOptions(options)),
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

const formSchema = z.strictObject({ name: visibleNameSchema(80, "Required.") });

type SaveProps = { readonly filter: TrustFilter; readonly keep: ReturnType<typeof useSavedViews>["keep"]; readonly close: () => void };

const SaveView = ({ filter, keep, close }: SaveProps) => {
  const form = useZodForm(formSchema, { name: "" });

  return (
    <Form onSubmit={form.handleSubmit(({ name }) => keep.mutate({ name, filter }, { onSuccess: close }))}>
      <TextField form={form} name="name" label="Name" hint="Replaces your saved view with the same name." maxLength={80} />
      <FormActions submit="Save" pending={keep.isPending ? "Saving…" : null} />
    </Form>
  );
};

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
      <DialogButton label="Save view…" buttonSize="sm" variant="ghost" title="Save view" description="Only you can see your saved views.">
        {(close) => <SaveView filter={filter} keep={keep} close={close} />}
      </DialogButton>
    </nav>
  );
};
