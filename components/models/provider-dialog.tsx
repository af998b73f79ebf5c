"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import type { ProviderView } from "@/server/trpc/routers/models/settings";
import { ProviderForm } from "./provider-form";

type Props = {
  /** Null: new. */
  readonly edited: ProviderView | null;
  readonly disabledReason: string | null;
};

export const ProviderDialog = ({ edited, disabledReason }: Props) => (
  <DialogButton
    label={edited ? "Edit…" : "Add provider…"}
    variant={edited ? "ghost" : "primary"}
    buttonSize={edited ? "sm" : "md"}
    disabledReason={disabledReason}
    size="lg"
    title={edited ? `Edit ${edited.name}` : "Add a provider"}
    description={
      edited ? "Changes apply from the next call." : "Add its models afterwards. A model can be called only if its price is known."
    }
  >
    {(close) => <ProviderForm edited={edited} close={close} />}
  </DialogButton>
);
