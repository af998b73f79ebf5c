"use client";

import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { useMutation } from "@tanstack/react-query";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Form, TextField, useZodForm } from "@/components/ui/form";
import { notify } from "@/components/ui/toast";
import { accountSchema, codeSchema, teamsAccountSchema } from "@/lib/notifications/account";
import { CHANNEL_NAMES } from "@/lib/notifications/setting";

type LinkedChannel = "slack" | "teams";

type Props = { readonly channel: LinkedChannel; readonly account: { readonly name: string } | null };

const NAMED = {
  slack: { schema: accountSchema, label: "Member ID", hint: "In Slack: your profile, More, Copy member ID.", place: "Slack" },
  teams: {
    schema: teamsAccountSchema,
    label: "Workflow address",
    hint: "In Teams: Workflows, “Send webhook alerts to a chat”, choose your own chat, copy the address.",
    place: "Teams",
  },
} as const satisfies Record<LinkedChannel, object>;

const SendCode = ({ channel, account }: Props) => {
  const trpc = useTRPC();
  const { schema, label, hint } = NAMED[channel];
  const form = useZodForm(z.strictObject({ account: schema }), { account: channel === "slack" ? (account?.name ?? "") : "" });
  const send = useMutation(
    trpc.notifications.sendCode.mutationOptions({
      onSettled: useRefresh(trpc.notifications.pathFilter()),
      onSuccess: () => notify({ title: "Code sent" }),
    }),
  );

  return (
    <Form onSubmit={form.handleSubmit((fields) => send.mutate({ channel, ...fields }))} error={send.error} className="flex flex-col gap-3">
      <TextField form={form} name="account" label={label} hint={hint} />
      <Button type="submit" className="self-start" variant={account ? "secondary" : "primary"} pending={send.isPending ? "Sending…" : null}>
        {account ? "Send another code" : "Send a code"}
      </Button>
    </Form>
  );
};

const EnterCode = ({ channel }: Pick<Props, "channel">) => {
  const trpc = useTRPC();
  const form = useZodForm(z.strictObject({ code: codeSchema }), { code: "" });
  const link = useMutation(
    trpc.notifications.link.mutationOptions({
      onSuccess: () => notify({ title: `${CHANNEL_NAMES[channel]} account linked` }),
      onSettled: useRefresh(trpc.notifications.pathFilter()),
    }),
  );

  return (
    <Form onSubmit={form.handleSubmit((fields) => link.mutate({ channel, ...fields }))} error={link.error} className="flex flex-col gap-3">
      <TextField form={form} name="code" label="Code" hint={`From the message in ${NAMED[channel].place}. It works for ten minutes.`} />
      <Button type="submit" className="self-start" variant="primary" pending={link.isPending ? "Linking…" : null}>
        Link account
      </Button>
    </Form>
  );
};

export const LinkAccount = ({ channel, account }: Props) => (
  <div className="grid max-w-2xl gap-6 sm:grid-cols-2">
    <SendCode channel={channel} account={account} />
    {account ? <EnterCode channel={channel} /> : null}
  </div>
);
