"use client";

import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { firstAdminSchema } from "@/lib/first-admin";
import { PASSWORD_FIELD, useNewAccount } from "./new-account";

export const FirstAdminForm = ({ token }: { readonly token: string }) => {
  const api = useTRPCClient();
  const { enterAs, error } = useNewAccount();
  const form = useZodForm(firstAdminSchema, { name: "", email: "", password: "", workspaceName: "" });
  const submit = form.handleSubmit((fields) =>
    enterAs(fields.password, async () => (await api.setup.createAdmin.mutate({ ...fields, token })).email),
  );

  return (
    <Form onSubmit={submit} error={error} className="flex flex-col gap-4">
      <TextField form={form} name="name" label="Your name" autoComplete="name" />
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" />
      <TextField form={form} name="password" {...PASSWORD_FIELD} />
      <TextField
        form={form}
        name="workspaceName"
        label="Workspace"
        hint="The name of your team or organisation."
        autoComplete="organization"
      />
      <Button type="submit" variant="primary" size="lg" pending={form.formState.isSubmitting ? "Setting up…" : null}>
        Create admin account
      </Button>
    </Form>
  );
};
