"use client";

import { useState } from "react";
import { z } from "zod";
import { ChooseReason } from "@/components/comments/choose-reason";
import { useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form, useZodForm } from "@/components/ui/form";
import { Textarea } from "@/components/ui/textarea";
import type { ReplyAction } from "@/lib/notifications/reply-link";

const fieldsSchema = z.strictObject({ text: z.string().trim().min(1, "Required.").max(2_000) });

const TEXTS = {
  reject: {
    label: "Reason",
    hint: "Recorded with the rejection.",
    submit: "Reject",
    pending: "Rejecting…",
    done: "You rejected this request",
  },
  request_changes: {
    label: "Changes",
    hint: "The agent reads them and proposes again.",
    submit: "Request changes",
    pending: "Sending…",
    done: "You requested changes",
  },
  comment: {
    label: "Comment",
    hint: "Everyone who can see the request reads it.",
    submit: "Comment",
    pending: "Sending…",
    done: "Your comment is on record",
  },
} as const satisfies Record<ReplyAction, Readonly<Record<string, string>>>;

type Props = {
  readonly token: string;
  readonly action: ReplyAction;
  readonly reasons: readonly string[];
  readonly onDone: (title: string) => void;
};

export const ReplyForm = ({ token, action, reasons, onDone }: Props) => {
  const api = useTRPCClient();
  const form = useZodForm(fieldsSchema, { text: "" });
  const [error, setError] = useState<unknown>(null);
  const { label, hint, submit, pending, done } = TEXTS[action];
  const send = form.handleSubmit(async ({ text }) => {
    setError(null);
    try {
      await api.reply.send.mutate({ token, action, text });
      onDone(done);
    } catch (fault) {
      setError(fault);
    }
  });

  return (
    <Form onSubmit={send} error={error} className="flex flex-col gap-4">
      <Field label={label} hint={hint} error={form.formState.errors.text?.message}>
        <Textarea maxLength={2_000} {...form.register("text")} />
      </Field>
      {action === "comment" ? null : (
        <ChooseReason reasons={reasons} text={form.watch("text")} onChoose={(text) => form.setValue("text", text)} />
      )}
      <Button
        type="submit"
        size="lg"
        variant={action === "reject" ? "danger" : "primary"}
        pending={form.formState.isSubmitting ? pending : null}
      >
        {submit}
      </Button>
    </Form>
  );
};
