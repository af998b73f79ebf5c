"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form, useZodForm } from "@/components/ui/form";
import { PageSection } from "@/components/ui/page";
import { QueryState } from "@/components/ui/query-state";
import { Textarea } from "@/components/ui/textarea";
import { notify } from "@/components/ui/toast";
import { reasonTemplatesSchema } from "@/lib/reason-templates";
import { explainDenial } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";

const splitLines = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

const fieldsSchema = z.strictObject({
  text: z.string().superRefine((text, context) => {
    const { error } = reasonTemplatesSchema.safeParse(splitLines(text));
    if (error) context.addIssue({ code: "custom", message: error.issues[0]?.message ?? "Check the reasons." });
  }),
});

type Props = { readonly reasons: readonly string[]; readonly mayNot: string | null };

const Reasons = ({ reasons, mayNot }: Props) => {
  const trpc = useTRPC();
  const form = useZodForm(fieldsSchema, { text: reasons.join("\n") });
  const onSettled = useRefresh(trpc.reasons.pathFilter());
  const set = useMutation(trpc.reasons.set.mutationOptions({ onSettled, onSuccess: () => notify({ title: "Reasons saved" }) }));

  return (
    <Form
      onSubmit={form.handleSubmit(({ text }) => set.mutate({ reasons: [...splitLines(text)] }))}
      error={set.error}
      className="flex max-w-2xl flex-col gap-3"
    >
      <Field label="Reasons" hint="One on each line, at most 20." error={form.formState.errors.text?.message}>
        <Textarea rows={4} readOnly={mayNot !== null} placeholder="Wrong customer" {...form.register("text")} />
      </Field>
      <Button
        type="submit"
        className="self-start"
        disabledReason={mayNot ?? (form.formState.isDirty ? null : "No changes yet.")}
        pending={set.isPending ? "Saving…" : null}
      >
        Save reasons
      </Button>
    </Form>
  );
};

export const ReasonTemplates = ({ session }: { readonly session: SignedIn }) => (
  <PageSection id="reasons" title="Reasons for decisions">
    <p className="text-sm text-muted">
      Reviewers can choose one of these when they reject or request changes. The record has the text as they send it.
    </p>
    <QueryState query={useQuery(useTRPC().reasons.get.queryOptions())} what="the reasons" rows={2}>
      {({ reasons }) => (
        <Reasons key={reasons.join("\n")} reasons={reasons} mayNot={explainDenial(session.role, "people.manage", session.auditor)} />
      )}
    </QueryState>
  </PageSection>
);
