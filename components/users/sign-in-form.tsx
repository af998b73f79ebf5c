"use client";

import { useState } from "react";
import { z } from "zod";
import { enter, SIGN_IN_PROBLEMS, signInWith, type SignInProblem } from "@/components/account/sign-in-with";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Form, TextField, useZodForm } from "@/components/ui/form";

const formSchema = z.strictObject({
  email: z.string().min(1, "Required."),
  password: z.string().min(1, "Required."),
});

type Props = {
  readonly isMainWay: boolean;
  /** Reason for the redirect. */
  readonly cause: SignInProblem | null;
};

/** Address and password; errors never say which is wrong. */
export const SignInForm = ({ isMainWay, cause }: Props) => {
  const [problem, setProblem] = useState<SignInProblem | null>(cause);
  const form = useZodForm(formSchema, { email: "", password: "" });
  const submit = form.handleSubmit(async (fields) => {
    setProblem(null);
    const found = await signInWith("password", fields);
    if (found === null) {
      enter();

      return;
    }
    setProblem(found);
    form.resetField("password");
  });

  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {problem ? (
        <Callout kind="refused" alert title={SIGN_IN_PROBLEMS[problem].title}>
          {SIGN_IN_PROBLEMS[problem].advice}
        </Callout>
      ) : null}
      <TextField form={form} name="email" label="E-mail" type="email" autoComplete="username" />
      <TextField form={form} name="password" label="Password" type="password" autoComplete="current-password" />
      <Button
        type="submit"
        variant={isMainWay ? "primary" : "secondary"}
        size="lg"
        pending={form.formState.isSubmitting ? "Signing in…" : null}
      >
        Sign in
      </Button>
    </Form>
  );
};
