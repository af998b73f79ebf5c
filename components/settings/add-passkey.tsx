"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { notify } from "@/components/ui/toast";
import { LabelForm } from "./label-form";
import { registerPasskey } from "./register-passkey";

/** Names a new passkey and has the browser make it. */
export const AddPasskey = ({ disabledReason }: { readonly disabledReason: string | null }) => {
  const [trpc, client, queries] = [useTRPC(), useTRPCClient(), useQueryClient()];
  const [isOpen, setIsOpen] = useState(false);
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const open = (next: boolean) => {
    setFailure(null);
    setIsOpen(next);
  };
  const add = async (label: string) => {
    setIsPending(true);
    setFailure(null);
    const registered = await registerPasskey(client, label);
    setIsPending(false);
    if (!registered.ok) return setFailure(registered.why);
    setIsOpen(false);
    notify({ title: `${label} is registered` });

    return queries.invalidateQueries(trpc.passkeys.pathFilter());
  };

  return (
    <>
      <Button variant="primary" disabledReason={disabledReason} onClick={() => open(true)}>
        Add passkey…
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={open}
        title="Add a passkey"
        description="Your browser then asks where to keep it: on this device, on a phone or on a security key."
      >
        <LabelForm
          initial=""
          submitLabel="Add the passkey"
          pending={isPending ? "Your browser is asking…" : null}
          failure={failure}
          onSubmit={(label) => void add(label)}
          onCancel={() => open(false)}
        />
      </Dialog>
    </>
  );
};
