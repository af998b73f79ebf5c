"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { LabelForm } from "./label-form";

type Props = { readonly credentialId: string; readonly label: string };

export const RenamePasskey = ({ credentialId, label }: Props) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const rename = useMutation(
    trpc.passkeys.rename.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(trpc.passkeys.pathFilter());
        setIsOpen(false);
      },
    }),
  );
  const open = (next: boolean) => {
    rename.reset();
    setIsOpen(next);
  };

  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Rename ${label}`} onClick={() => open(true)}>
        Rename…
      </Button>
      <Dialog open={isOpen} onOpenChange={open} title="Rename passkey">
        <LabelForm
          initial={label}
          submitLabel="Save"
          pending={rename.isPending ? "Saving…" : null}
          failure={rename.error ? toApiError(rename.error).message : null}
          onSubmit={(next) => rename.mutate({ credentialId, label: next })}
          onCancel={() => open(false)}
        />
      </Dialog>
    </>
  );
};
