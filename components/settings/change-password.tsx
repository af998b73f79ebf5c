"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { LoadFailed } from "@/components/ui/load-failed";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import { Failure } from "@/components/ui/failure";
import { MIN_PASSWORD_LENGTH, newPasswordSchema } from "@/lib/first-admin";

const formSchema = z.strictObject({ current: z.string().min(1, "Required."), next: newPasswordSchema });
type Form = z.infer<typeof formSchema>;

const NONE = {
  button: "Demo accounts have no password: anyone on this machine can sign in as them.",
  sign_in: "Your identity provider manages your account. Change your password there.",
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
        notify({ title: "Password changed.", description: `Other sessions ended: ${ended}.` });
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
      <Field label="Current password" error={errors.current?.message}>
        <Input type="password" autoComplete="current-password" {...register("current")} />
      </Field>
      <Field label="New password" hint={`At least ${MIN_PASSWORD_LENGTH} characters. A sentence works well.`} error={errors.next?.message}>
        <Input type="password" autoComplete="new-password" {...register("next")} />
      </Field>
      <div>
        <Button type="submit" pending={change.isPending ? "Changing…" : null}>
          Change password
        </Button>
      </div>
    </form>
  );
};

/** Password form, or why there is none. */
export const ChangePassword = () => {
  const { data, error, refetch } = useQuery(useTRPC().session.proof.queryOptions());
  if (error) return <LoadFailed what="your sign-in method" error={error} retry={refetch} />;
  if (!data) return <SkeletonRows rows={2} />;

  return data === "password" ? <PasswordForm /> : <p className="text-sm text-muted">{NONE[data]}</p>;
};
