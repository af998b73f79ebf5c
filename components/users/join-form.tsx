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
import { MIN_PASSWORD_LENGTH, newAccountSchema, type NewAccountForm } from "@/lib/first-admin";
import { FIRST_PASSKEY, signInWith } from "@/components/account/sign-in-with";

export const JoinForm = ({ token, email, isMainWay }: { readonly token: string; readonly email: string; readonly isMainWay: boolean }) => {
  const join = useMutation(useTRPC().join.accept.mutationOptions());
  const { register, handleSubmit, formState } = useForm<NewAccountForm>({
    resolver: zodResolver(newAccountSchema),
    defaultValues: { name: "", password: "" },
  });
  const { errors } = formState;
  const submit = handleSubmit(async (form) => {
    try {
      await join.mutateAsync({ ...form, token });
      await signInWith("password", { email, password: form.password });
      // If sign-in failed, this redirects to it; the account exists.
      window.location.assign(FIRST_PASSKEY);
    } catch {
      // The mutation keeps the error.
    }
  });

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {join.error ? <Callout kind="refused" alert title={toApiError(join.error).message} /> : null}
      <Field label="E-mail" hint="The invited address. You sign in with it.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field label="Your name" error={errors.name?.message}>
        <Input autoComplete="name" {...register("name")} />
      </Field>
      <Field label="Password" hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence works well.`} error={errors.password?.message}>
        <Input type="password" autoComplete="new-password" {...register("password")} />
      </Field>
      <Button type="submit" variant={isMainWay ? "primary" : "secondary"} size="lg" pending={formState.isSubmitting ? "Joining…" : null}>
        Join
      </Button>
    </form>
  );
};
