"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { LoadFailed } from "@/components/connect/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { Failure } from "@/components/ui/failure";
import { MIN_PASSWORD_LENGTH, newPasswordSchema } from "@/lib/first-admin";

const formSchema = z.strictObject({ current: z.string().min(1, "Enter your password."), next: newPasswordSchema });
type Form = z.infer<typeof formSchema>;

const NONE = {
  button: "Accounts of the demo have no password: anybody on this machine can sign in as them.",
  sign_in: "Your account is kept by your identity provider; its password is changed there.",
} as const;

const PasswordForm = () => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { register, handleSubmit, formState, reset } = useForm<Form>({
    resolver: zodResolver(formSchema),
    defaultValues: { current: "", next: "" },
  });
  const change = useMutation(
    trpc.session.changePassword.mutationOptions({
      onSuccess: ({ ended }) => {
        notify({ title: "Your password is changed.", description: `Other sessions that ended: ${ended}.` });
        reset();
      },
      onSettled: () => client.invalidateQueries({ queryKey: trpc.session.sessions.queryKey() }),
    }),
  );
  const { errors } = formState;

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void handleSubmit((form) => change.mutate(form))(event)}
      className="flex max-w-sm flex-col gap-3"
    >
      <Failure error={change.error} />
      <Field label="Password now" error={errors.current?.message}>
        <Input type="password" autoComplete="current-password" {...register("current")} />
      </Field>
      <Field label="New password" hint={`At least ${MIN_PASSWORD_LENGTH} characters; a sentence is good.`} error={errors.next?.message}>
        <Input type="password" autoComplete="new-password" {...register("next")} />
      </Field>
      <div>
        <Button type="submit" pending={change.isPending ? "Changing…" : null}>
          Change the password
        </Button>
      </div>
    </form>
  );
};

/** One's own password, where there is one. */
export const ChangePassword = () => {
  const { data, error, refetch } = useQuery(useTRPC().session.proof.queryOptions());
  if (error) return <LoadFailed what="How you sign in" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={2} />;

  return data === "password" ? <PasswordForm /> : <p className="text-sm text-muted">{NONE[data]}</p>;
};
