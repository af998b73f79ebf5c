"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Controller, useWatch } from "react-hook-form";
import { z } from "zod";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Callout } from "@/components/ui/callout";
import { CopyBlock } from "@/components/ui/copy-block";
import { DialogButton, ShowOnce } from "@/components/ui/dialog-button";
import { Form, FormActions, TextField, useZodForm } from "@/components/ui/form";
import { emailSchema, standingSchema } from "@/lib/people/command";
import { StandingFields } from "./standing-fields";

const formSchema = z.strictObject({ email: emailSchema, standing: standingSchema });
type InviteFields = z.infer<typeof formSchema>;
type Created = { readonly email: string; readonly token: string };

const NEWCOMER: InviteFields = { email: "", standing: { role: "viewer", auditor: false } };

const InviteForm = ({ onCreated, onCancel }: { readonly onCreated: (created: Created) => void; readonly onCancel: () => void }) => {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const form = useZodForm(formSchema, NEWCOMER);
  const [email, role] = useWatch({ control: form.control, name: ["email", "standing.role"] });
  const invite = useMutation({
    mutationFn: async (asked: InviteFields) => {
      const signature = await sign({ kind: "people_invite", ...asked });

      return api.people.invite.mutate({ email: asked.email, ...asked.standing, ...signature });
    },
    onSuccess: ({ token }, asked) => onCreated({ email: asked.email, token }),
    onSettled: useRefresh(trpc.people.list.queryFilter()),
  });

  return (
    <Form onSubmit={form.handleSubmit((fields) => invite.mutate(fields))} error={invite.error}>
      <TextField form={form} name="email" label="E-mail" type="email" />
      <Controller
        control={form.control}
        name="standing"
        render={({ field: { value, onChange } }) => <StandingFields value={value} onChange={onChange} />}
      />
      <SignatureNote to={`invite ${email.trim() === "" ? "this person" : email.trim().toLowerCase()} as ${role}`} />
      <FormActions submit="Create link" pending={invite.isPending ? "Committing…" : null} onCancel={onCancel} />
    </Form>
  );
};

export const Invite = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const [created, setCreated] = useState<Created | null>(null);
  if (created) {
    return (
      <ShowOnce
        title="Copy the link now"
        description={`It lets one person join as ${created.email} within 72 hours. It won't be shown again.`}
        onDone={() => setCreated(null)}
      >
        <CopyBlock label="the link" text={`${window.location.origin}/join?token=${created.token}`} />
        <Callout kind="waiting" title="Anyone with this link can join.">
          Send it only to that person. Until it is used, you can withdraw it under Invites.
        </Callout>
      </ShowOnce>
    );
  }

  return (
    <DialogButton
      label="Invite…"
      variant="primary"
      disabledReason={disabledReason}
      title="Invite someone"
      description="Creates a one-time link, valid for 72 hours. No e-mail is sent."
    >
      {(close) => <InviteForm onCreated={setCreated} onCancel={close} />}
    </DialogButton>
  );
};
