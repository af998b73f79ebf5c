"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyBlock } from "@/components/ui/copy-block";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { useAdminSignature } from "@/components/passkeys/use-admin-signature";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Input } from "@/components/ui/input";
import { Failure } from "@/components/ui/failure";
import { emailSchema, type Standing } from "@/lib/people/command";
import { StandingFields } from "./standing-fields";

const FORM = "invite";
const NEWCOMER: Standing = { role: "viewer", auditor: false };

/** The link can't be shown again. */
const InviteLink = ({ email, token, onDone }: { readonly email: string; readonly token: string; readonly onDone: () => void }) => (
  <Dialog
    open
    size="lg"
    title="Copy the link now"
    description={`It lets one person join as ${email} within 72 hours. It won't be shown again.`}
    footer={
      <Button variant="primary" onClick={onDone}>
        Done
      </Button>
    }
  >
    <div className="flex flex-col gap-3">
      <CopyBlock label="the link" text={`${window.location.origin}/join?token=${token}`} />
      <Callout kind="waiting" title="Anyone with this link can join.">
        Send it only to that person. Until it is used, you can withdraw it under Invites.
      </Callout>
    </div>
  </Dialog>
);

export const Invite = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const api = useTRPCClient();
  const sign = useAdminSignature();
  const [isOpen, setIsOpen] = useState(false);
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [standing, setStanding] = useState(NEWCOMER);
  const invite = useMutation({
    mutationFn: async (asked: Standing & { readonly email: string }) => {
      const { email: to, ...given } = asked;
      const signature = await sign({ kind: "people_invite", email: to, standing: given });

      return api.people.invite.mutate({ ...asked, ...signature });
    },
    onSettled: () => client.invalidateQueries({ queryKey: trpc.people.list.queryKey() }),
  });
  const setOpen = (next: boolean) => {
    setIsOpen(next);
    setEmail("");
    setProblem(null);
    setStanding(NEWCOMER);
    invite.reset();
  };
  const submit = () => {
    const parsed = emailSchema.safeParse(email);
    setProblem(parsed.success ? null : "Enter an e-mail address.");
    if (parsed.success) invite.mutate({ email: parsed.data, ...standing });
  };
  if (invite.data) return <InviteLink email={invite.variables.email} token={invite.data.token} onDone={() => setOpen(false)} />;

  return (
    <>
      <Button variant="primary" disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Invite…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        title="Invite someone"
        description="Creates a one-time link, valid for 72 hours. No e-mail is sent."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary" pending={invite.isPending ? "Committing…" : null}>
              Create link
            </Button>
          </>
        }
      >
        <Form id={FORM} onSubmit={submit}>
          <Failure error={invite.error} />
          <Field label="E-mail" error={problem}>
            <Input type="email" autoComplete="off" value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
          <StandingFields value={standing} onChange={setStanding} />
          <SignatureNote to={`invite ${email.trim() === "" ? "this person" : email.trim().toLowerCase()} as ${standing.role}`} />
        </Form>
      </Dialog>
    </>
  );
};
