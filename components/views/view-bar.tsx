"use client";

import { X } from "lucide-react";
import Link from "next/link";
import { z } from "zod";
import { toApiError } from "@/components/trpc/api-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { DialogButton } from "@/components/ui/dialog-button";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { notify } from "@/components/ui/toast";
import { viewNameSchema } from "@/lib/saved-views";

type View = { readonly id: string; readonly name: string; readonly query: string };

type LinkProps = { readonly href: string; readonly isCurrent: boolean; readonly children: string };

const ViewLink = ({ href, isCurrent, children }: LinkProps) => (
  <Link
    href={href}
    aria-current={isCurrent ? "true" : undefined}
    className={cn(
      "inline-flex h-7 items-center rounded-md border px-2 text-xs",
      isCurrent ? "border-transparent bg-accent-soft font-medium text-ink" : "text-muted hover:bg-hover hover:text-ink",
    )}
  >
    {children}
  </Link>
);

const formSchema = z.strictObject({ name: viewNameSchema });

type SaveProps = { readonly isSaving: boolean; readonly save: (name: string, close: () => void) => void; readonly close: () => void };

const SaveView = ({ isSaving, save, close }: SaveProps) => {
  const form = useZodForm(formSchema, { name: "" });

  return (
    <Form onSubmit={form.handleSubmit(({ name }) => save(name, close))}>
      <TextField form={form} name="name" label="Name" hint="Replaces your saved view with the same name." maxLength={80} />
      <FormActions submit="Save" pending={isSaving ? "Saving…" : null} />
    </Form>
  );
};

export const tellViewError = (error: unknown) => notify({ title: toApiError(error).message, tone: "error" });

type Props = {
  readonly path: `/${string}`;
  readonly current: string;
  readonly builtIn?: readonly Omit<View, "id">[];
  readonly saved: readonly View[];
  readonly remove: (id: string) => void;
  readonly isSaving: boolean;
  readonly save: (name: string, close: () => void) => void;
  readonly className?: string;
};

export const ViewBar = ({ path, current, builtIn = [], saved, remove, isSaving, save, className }: Props) => (
  <nav aria-label="Views" className={cn("flex flex-wrap items-center gap-1.5 px-6 py-2 max-sm:px-4", className)}>
    {builtIn.map(({ name, query }) => (
      <ViewLink key={name} href={`${path}?${query}`} isCurrent={query === current}>
        {name}
      </ViewLink>
    ))}
    {saved.map(({ id, name, query }) => (
      <span key={id} className="inline-flex items-center">
        <ViewLink href={`${path}?${query}`} isCurrent={query === current}>
          {name}
        </ViewLink>
        <Button size="icon" variant="ghost" aria-label={`Remove ${name}`} onClick={() => remove(id)}>
          <X aria-hidden />
        </Button>
      </span>
    ))}
    <DialogButton label="Save view…" buttonSize="sm" variant="ghost" title="Save view" description="Only you can see your saved views.">
      {(close) => <SaveView isSaving={isSaving} save={save} close={close} />}
    </DialogButton>
  </nav>
);
