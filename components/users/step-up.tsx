"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Failure } from "@/components/ui/failure";
import { signInElsewhere } from "./sign-in-with";
import { stepUpQuestion } from "./step-up-question";

const FORM = "step-up";

const WAYS = {
  password: { text: "Enter your password to go on.", confirm: "Confirm" },
  button: { text: "Accounts of the demo have no password: pressing the button is all the proof there is.", confirm: "Confirm" },
  sign_in: {
    text: "Your account is kept elsewhere. Sign in there again, then repeat what you did: nothing of it has been sent.",
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
  // Not before it is known what is asked for, which is what has the focus then.
  if (way.isPending) return null;

  return (
    <Dialog
      open
      onOpenChange={() => stepUpQuestion.settle(false)}
      title="Confirm that it is you"
      description="This takes a proof of who you are that is five minutes old at most."
      footer={
        <>
          <Button onClick={() => stepUpQuestion.settle(false)}>Cancel</Button>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            pending={prove.isPending ? "Confirming…" : null}
            disabled={!way.data || (way.data === "password" && password === "")}
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

/** Asks who is signed in to prove it, when something they did takes that. Mounted once. */
export const StepUp = () => {
  const isOpen = useSyncExternalStore(stepUpQuestion.subscribe, stepUpQuestion.isOpen, nobodyAsks);

  return isOpen ? <Question /> : null;
};
