"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { QueryState } from "@/components/ui/query-state";
import { notify } from "@/components/ui/toast";
import { MIN_PASSWORD_LENGTH, newPasswordSchema } from "@/lib/first-admin";

const formSchema = z.strictObject({ current: z.string().min(1, "Required."), next: newPasswordSchema });

const NONE = {
  button: "Demo accounts have no password: anyone on this machine can sign in as them.",
  sign_in: "Your identity provider manages your account. Change your password there.",
} as const;

const PasswordForm = () => {
  const trpc = useTRPC();
  const form = useZodForm(formSchema, { current: "", next: "" });
  const change = useMutation(
    trpc.session.changePassword.mutationOptions({
      onSuccess: ({ ended }) => {
        notify({ title: "Password changed.", description: `Other sessions ended: ${ended}.` });
        form.reset();
      },
      onSettled: useRefresh(trpc.session.sessions.queryFilter()),
    }),
  );

  return (
    <Form onSubmit={form.handleSubmit((fields) => change.mutate(fields))} error={change.error} className="flex max-w-sm flex-col gap-3">
      <TextField form={form} name="current" label="Current password" type="password" autoComplete="current-password" />
      <TextField
        form={form}
        name="next"
        label="New password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence works well.`}
        type="password"
        autoComplete="new-password"
      />
      <div>
        <Button type="submit" pending={change.isPending ? "Changing…" : null}>
          Change password
        </Button>
      </div>
    </Form>
  );
};

export const ChangePassword = () => (
  <QueryState query={useQuery(useTRPC().session.proof.queryOptions())} what="your sign-in method" rows={2}>
    {(way) => (way === "password" ? <PasswordForm /> : <p className="text-sm text-muted">{NONE[way]}</p>)}
  </QueryState>
);
