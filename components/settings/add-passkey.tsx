"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { registerPasskey } from "@/components/passkeys/register-passkey";
import { useCountersign } from "@/components/passkeys/use-countersign";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { notify } from "@/components/ui/toast";
import { LabelForm } from "./label-form";

const NOT_ALLOWED = "Ask an admin to allow a new passkey first";

/** Creates a passkey, signed by an existing one. @param props.why passkeys can't be used here */
export const AddPasskey = ({ why }: { readonly why: string | null }) => {
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const countersign = useCountersign();
  const { data } = useQuery(trpc.passkeys.list.queryOptions());
  const hasOne = data?.passkeys.some(({ revokedAt }) => revokedAt === null) ?? false;
  const isAllowed = (data?.allowedUntil ?? null) !== null;
  const open = (next: boolean) => {
    setFailure(null);
    setIsOpen(next);
  };
  const add = async (label: string) => {
    setIsPending(true);
    setFailure(null);
    const registered = await registerPasskey(client, label, isAllowed ? null : countersign);
    setIsPending(false);
    if (!registered.ok) return setFailure(registered.why);
    setIsOpen(false);
    notify({ title: `${label} added` });

    return queries.invalidateQueries(trpc.passkeys.pathFilter());
  };

  return (
    <>
      <Button variant="primary" disabledReason={why ?? (data && !hasOne && !isAllowed ? NOT_ALLOWED : null)} onClick={() => open(true)}>
        Add passkey…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={open}
        title="Add a passkey"
        description={
          isAllowed
            ? "Your browser asks where to store it: on this device, a phone or a security key."
            : "Your browser asks twice: first where to store the new passkey, then for an existing one to sign for it."
        }
      >
        <LabelForm
          initial=""
          submitLabel="Add passkey"
          pending={isPending ? "Your browser is asking…" : null}
          failure={failure}
          onSubmit={(label) => void add(label)}
          onCancel={() => open(false)}
        />
      </Dialog>
    </>
  );
};
