"use client";

import { useState } from "react";
import { z } from "zod";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { Outputs } from "@/components/trpc/outputs";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field } from "@/components/ui/field";
import { Form, useZodForm } from "@/components/ui/form";
import { RelativeTime } from "@/components/ui/relative-time";
import { Textarea } from "@/components/ui/textarea";
import { ExitLink } from "@/components/users/entrance";
import { AUTHORITY_LABELS, RISK_LABELS } from "@/lib/notifications/message";
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

type Reply = NonNullable<Outputs["reply"]["get"]["reply"]>;

const Request = ({ reply: { sentence, authority, risk, signals, expiresAt } }: { readonly reply: Reply }) => (
  <div className="flex flex-col gap-2">
    <p className="font-medium wrap-anywhere">{sentence}</p>
    <p className="text-sm text-muted">
      {AUTHORITY_LABELS[authority]} · {RISK_LABELS[risk]} · expires <RelativeTime at={expiresAt} />
    </p>
    {signals.length === 0 ? null : (
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm wrap-anywhere">
        {signals.map(({ code, text }) => (
          <li key={`${code} ${text}`}>{text}</li>
        ))}
      </ul>
    )}
  </div>
);

type Props = { readonly token: string; readonly action: ReplyAction; readonly reply: Reply };

export const ReplyForm = ({ token, action, reply }: Props) => {
  const api = useTRPCClient();
  const form = useZodForm(fieldsSchema, { text: "" });
  const [isDone, setIsDone] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { label, hint, submit, pending, done } = TEXTS[action];
  const isOpen = reply.status === "open" && !reply.used.includes(action);
  const send = form.handleSubmit(async ({ text }) => {
    setError(null);
    try {
      await api.reply.send.mutate({ token, action, text });
      setIsDone(true);
    } catch (fault) {
      setError(fault);
    }
  });

  return (
    <div className="flex flex-col gap-4">
      <Request reply={reply} />
      {isDone ? (
        <Callout kind="clean" title={done} alert />
      ) : isOpen ? (
        <Form onSubmit={send} error={error} className="flex flex-col gap-4">
          <Field label={label} hint={hint} error={form.formState.errors.text?.message}>
            <Textarea maxLength={2_000} {...form.register("text")} />
          </Field>
          <Button
            type="submit"
            size="lg"
            variant={action === "reject" ? "danger" : "primary"}
            pending={form.formState.isSubmitting ? pending : null}
          >
            {submit}
          </Button>
        </Form>
      ) : (
        <Callout kind="waiting" title={reply.status === "open" ? "This link was already used" : "This request is closed"} />
      )}
      <ExitLink href={`/approvals/${reply.approvalId}`} className="text-sm">
        Open the request
      </ExitLink>
    </div>
  );
};
