"use client";

import { useState } from "react";
import { z } from "zod";
import { FIRST_PASSKEY, SIGN_IN_PROBLEMS, signInWith } from "@/components/account/sign-in-with";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { EntryProblem } from "@/components/account/entry-problem";
import { useEntering } from "@/components/account/use-entering";

const formSchema = z.strictObject({ password: z.string().min(1, "Required.") });

type Props = { readonly token: string; readonly email: string; readonly workspace: string };

const useJoining = (token: string) => {
  const entering = useEntering(() => window.location.assign(FIRST_PASSKEY));

  return { ...entering, join: () => entering.enter({ by: "invite", token }) };
};

export const JoinSignedIn = ({ token, email, workspace }: Props) => {
  const { join, isEntering, problem } = useJoining(token);

  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">You are signed in as {email}. Your other workspaces stay as they are.</p>
      <EntryProblem problem={problem} />
      <Button variant="primary" size="lg" pending={isEntering ? "Joining…" : null} onClick={() => void join()}>
        Join {workspace}
      </Button>
    </div>
  );
};

export const JoinAfterSignIn = ({ token, email, workspace }: Props) => {
  const { join, problem } = useJoining(token);
  const [isDenied, setIsDenied] = useState(false);
  const form = useZodForm(formSchema, { password: "" });
  const submit = form.handleSubmit(async ({ password }) => {
    const denied = await signInWith("password", { email, password });
    setIsDenied(denied !== null);
    if (denied === null) await join();
    else form.resetField("password");
  });

  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      {isDenied ? (
        <Callout kind="refused" alert title={SIGN_IN_PROBLEMS.denied.title}>
          {SIGN_IN_PROBLEMS.denied.advice}
        </Callout>
      ) : null}
      <EntryProblem problem={problem} />
      <Field label="E-mail" hint="This address has an account here. Sign in to it to join.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <TextField form={form} name="password" label="Password" type="password" autoComplete="current-password" />
      <Button type="submit" variant="primary" size="lg" pending={form.formState.isSubmitting ? "Joining…" : null}>
        Sign in and join {workspace}
      </Button>
    </Form>
  );
};
