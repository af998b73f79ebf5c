"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { isTerminal, type RunStatus } from "@/lib/engine/event";
import { explainDenial, type Role } from "@/lib/roles";

type Props = { readonly runId: string; readonly status: RunStatus; readonly role: Role };

export const CancelRun = ({ runId, status, role }: Props) => {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const cancel = useMutation(trpc.runs.cancel.mutationOptions({ onSuccess: () => setIsOpen(false) }));
  const blocked = explainDenial(role, "run.cancel") ?? (isTerminal(status) ? "The run has ended" : null);
  const given = reason.trim();

  return (
    <>
      <Button size="sm" variant="danger" disabledReason={blocked} onClick={() => setIsOpen(true)}>
        Cancel run
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title="Cancel this run?"
        description="The run stops now. Pending approvals are cancelled. Completed tool calls are not rolled back."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Keep running</Button>
            <Button
              variant="danger"
              pending={cancel.isPending ? "Cancelling…" : null}
              onClick={() => cancel.mutate({ runId, ...(given ? { reason: given } : {}) })}
            >
              Cancel run
            </Button>
          </>
        }
      >
        {cancel.error ? <Callout kind="refused" title={toApiError(cancel.error).message} alert className="mb-3" /> : null}
        <Field label="Reason" hint="Stored in the ledger.">
          <Textarea value={reason} maxLength={2_000} onChange={(event) => setReason(event.currentTarget.value)} />
        </Field>
      </Dialog>
    </>
  );
};
