"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { firstAdminSchema, MIN_PASSWORD_LENGTH, type FirstAdminForm as Form } from "@/lib/first-admin";
import { FIRST_PASSKEY, signInWith } from "@/components/account/sign-in-with";

export const FirstAdminForm = ({ token }: { readonly token: string }) => {
  const create = useMutation(useTRPC().setup.createAdmin.mutationOptions());
  const { register, handleSubmit, formState } = useForm<Form>({
    resolver: zodResolver(firstAdminSchema),
    defaultValues: { name: "", email: "", password: "", workspaceName: "" },
  });
  const { errors } = formState;
  const submit = handleSubmit(async (form) => {
    try {
      const { email } = await create.mutateAsync({ ...form, token });
      await signInWith("password", { email, password: form.password });
      // If sign-in failed, this redirects to it; the account exists.
      window.location.assign(FIRST_PASSKEY);
    } catch {
      // The mutation keeps the error.
    }
  });
  const error = create.error ? toApiError(create.error) : null;

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error ? <Callout kind="refused" alert title={error.message} /> : null}
      <Field label="Your name" error={errors.name?.message}>
        <Input autoComplete="name" {...register("name")} />
      </Field>
      <Field label="E-mail" error={errors.email?.message}>
        <Input type="email" autoComplete="username" {...register("email")} />
      </Field>
      <Field label="Password" hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence works well.`} error={errors.password?.message}>
        <Input type="password" autoComplete="new-password" {...register("password")} />
      </Field>
      <Field label="Workspace" hint="The name of your team or organisation." error={errors.workspaceName?.message}>
        <Input autoComplete="organization" {...register("workspaceName")} />
      </Field>
      <Button type="submit" variant="primary" size="lg" pending={formState.isSubmitting ? "Setting up…" : null}>
        Create admin account
      </Button>
    </form>
  );
};
