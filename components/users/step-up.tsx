"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Failure } from "@/components/ui/failure";
import { signInElsewhere } from "@/components/account/sign-in-with";
import { stepUpQuestion } from "@/components/account/step-up-question";

const FORM = "step-up";

const WAYS = {
  password: { text: "Enter your password to continue.", confirm: "Confirm" },
  button: { text: "Demo accounts have no password. Press the button to confirm.", confirm: "Confirm" },
  sign_in: {
    text: "Your identity provider manages your account. Sign in there again, then repeat your action. Nothing was sent yet.",
    confirm: "Sign in again",
  },
} as const;

const Question = () => {
  const trpc = useTRPC();
  const [password, setPassword] = useState("");
  const way = useQuery(trpc.session.proof.queryOptions());
  const prove = useMutation(trpc.session.prove.mutationOptions({ onSuccess: () => stepUpQuestion.settle(true) }));
  const submit = () => {
    if (way.data === "sign_in") void signInElsewhere({ again: true, to: window.location.pathname });
    else prove.mutate({ password: way.data === "password" ? password : null });
  };
  // The field takes the focus.
  if (way.isPending) return null;

  return (
    <Dialog
      open
      onOpenChange={() => stepUpQuestion.settle(false)}
      title="Confirm your identity"
      description="This action requires it. A confirmation is valid for five minutes."
      footer={
        <>
          <Button onClick={() => stepUpQuestion.settle(false)}>Cancel</Button>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            pending={prove.isPending ? "Confirming…" : null}
            disabledReason={
              !way.data ? "Looking up how you sign in" : way.data === "password" && password === "" ? "Enter your password" : null
            }
          >
            {way.data ? WAYS[way.data].confirm : "Confirm"}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        method="post"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Failure error={way.error ?? prove.error} />
        {way.data ? <p className="text-sm">{WAYS[way.data].text}</p> : null}
        {way.data === "password" ? (
          <Field label="Password">
            <Input type="password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} />
          </Field>
        ) : null}
      </form>
    </Dialog>
  );
};

const nobodyAsks = () => false;

/** Identity confirmation. Mount once. */
export const StepUp = () => {
  const isOpen = useSyncExternalStore(stepUpQuestion.subscribe, stepUpQuestion.isOpen, nobodyAsks);

  return isOpen ? <Question /> : null;
};
