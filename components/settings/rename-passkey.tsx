"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { DialogButton } from "@/components/ui/dialog-button";
import { LabelForm } from "./label-form";

type Props = { readonly credentialId: string; readonly label: string };

export const RenamePasskey = ({ credentialId, label }: Props) => {
  const trpc = useTRPC();
  const rename = useMutation(trpc.passkeys.rename.mutationOptions({ onSuccess: useRefresh(trpc.passkeys.pathFilter()) }));

  return (
    <DialogButton label="Rename…" name={`Rename ${label}`} buttonSize="sm" variant="ghost" title="Rename passkey" onOpen={rename.reset}>
      {(close) => (
        <LabelForm
          initial={label}
          submit="Save"
          pending={rename.isPending ? "Saving…" : null}
          error={rename.error}
          onSubmit={(next) => rename.mutate({ credentialId, label: next }, { onSuccess: close })}
          onCancel={close}
        />
      )}
    </DialogButton>
  );
};
