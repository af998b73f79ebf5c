"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CopyBlock } from "@/components/connect/copy-block";
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

/** The link, once. It cannot be closed by accident, because it cannot be shown again. */
const InviteLink = ({ email, token, onDone }: { readonly email: string; readonly token: string; readonly onDone: () => void }) => (
  <Dialog
    open
    size="lg"
    title="Copy the link now"
    description={`It lets one person in as ${email}, within 72 hours, and is not shown again.`}
    footer={
      <Button variant="primary" onClick={onDone}>
        I have it
      </Button>
    }
  >
    <div className="flex flex-col gap-3">
      <CopyBlock label="the link" text={`${window.location.origin}/join?token=${token}`} />
      <Callout kind="waiting" title="Whoever has the link can use it.">
        Send it to that person alone. Until it is used you can withdraw it under Invites.
      </Callout>
    </div>
  </Dialog>
);

/** Asks one person in: the role is chosen here, name and password by whoever comes. */
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
        title="Invite somebody"
        description="You get a link that works once, for 72 hours. Nothing is sent."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" form={FORM} variant="primary" pending={invite.isPending ? "Committing…" : null}>
              Make the link
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
