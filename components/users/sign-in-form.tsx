"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { enter, SIGN_IN_PROBLEMS, signInWith, type SignInProblem } from "@/components/account/sign-in-with";

const formSchema = z.strictObject({
  email: z.string().min(1, "Required."),
  password: z.string().min(1, "Required."),
});

type Form = z.infer<typeof formSchema>;

type Props = {
  readonly isMainWay: boolean;
  /** Reason for the redirect. */
  readonly cause: SignInProblem | null;
};

/** Address and password; errors never say which is wrong. */
export const SignInForm = ({ isMainWay, cause }: Props) => {
  const [problem, setProblem] = useState<SignInProblem | null>(cause);
  const { register, handleSubmit, formState, resetField } = useForm<Form>({
    resolver: zodResolver(formSchema),
    defaultValues: { email: "", password: "" },
  });
  const submit = handleSubmit(async (form) => {
    setProblem(null);
    const found = await signInWith("password", form);
    if (found === null) {
      enter();

      return;
    }
    setProblem(found);
    resetField("password");
  });

  return (
    // Without script, POST keeps the password out of the URL.
    <form method="post" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {problem ? (
        <Callout kind="refused" alert title={SIGN_IN_PROBLEMS[problem].title}>
          {SIGN_IN_PROBLEMS[problem].advice}
        </Callout>
      ) : null}
      <Field label="E-mail" error={formState.errors.email?.message}>
        <Input type="email" autoComplete="username" {...register("email")} />
      </Field>
      <Field label="Password" error={formState.errors.password?.message}>
        <Input type="password" autoComplete="current-password" {...register("password")} />
      </Field>
      <Button type="submit" variant={isMainWay ? "primary" : "secondary"} size="lg" pending={formState.isSubmitting ? "Signing in…" : null}>
        Sign in
      </Button>
    </form>
  );
};
