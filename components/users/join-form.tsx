"use client";

import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { newAccountSchema } from "@/lib/first-admin";
import { PASSWORD_FIELD, useNewAccount } from "./new-account";

export const JoinForm = ({ token, email, isMainWay }: { readonly token: string; readonly email: string; readonly isMainWay: boolean }) => {
  const api = useTRPCClient();
  const { enterAs, error } = useNewAccount();
  const form = useZodForm(newAccountSchema, { name: "", password: "" });
  const submit = form.handleSubmit((fields) =>
    enterAs(fields.password, async () => {
      await api.join.accept.mutate({ ...fields, token });

      return email;
    }),
  );

  return (
    <Form onSubmit={submit} error={error} className="flex flex-col gap-4">
      <Field label="E-mail" hint="The invited address. You sign in with it.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <TextField form={form} name="name" label="Your name" autoComplete="name" />
      <TextField form={form} name="password" {...PASSWORD_FIELD} />
      <Button
        type="submit"
        variant={isMainWay ? "primary" : "secondary"}
        size="lg"
        pending={form.formState.isSubmitting ? "Joining…" : null}
      >
        Join
      </Button>
    </Form>
  );
};
