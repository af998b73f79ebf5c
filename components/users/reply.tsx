"use client";

import { useState, type ReactNode } from "react";
import type { Outputs } from "@/components/trpc/outputs";
import { Callout } from "@/components/ui/callout";
import { RelativeTime } from "@/components/ui/relative-time";
import { ExitLink } from "@/components/users/entrance";
import { AUTHORITY_LABELS, RISK_LABELS } from "@/lib/notifications/message";
import type { LinkAction } from "@/lib/notifications/reply-link";
import { ReplyForm } from "./reply-form";
import { ReplySnooze } from "./reply-snooze";

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

type Props = { readonly token: string; readonly action: LinkAction; readonly reply: Reply };

const formFor = ({ token, action, reply }: Props, onDone: (title: string) => void): ReactNode => {
  if (reply.status !== "open") return <Callout kind="waiting" title="This request is closed" />;
  if (action === "snooze") return <ReplySnooze token={token} onDone={onDone} />;
  if (reply.used.includes(action)) return <Callout kind="waiting" title="This link was already used" />;

  return <ReplyForm token={token} action={action} reasons={reply.reasons} onDone={onDone} />;
};

export const Reply = (props: Props) => {
  const [done, setDone] = useState<string | null>(null);

  return (
    <div className="flex flex-col gap-4">
      <Request reply={props.reply} />
      {done === null ? formFor(props, setDone) : <Callout kind="clean" title={done} alert />}
      <ExitLink href={`/approvals/${props.reply.approvalId}`} className="text-sm">
        Open the request
      </ExitLink>
    </div>
  );
};
