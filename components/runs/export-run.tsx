"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";

type Props = { readonly runId: string; readonly onClose: () => void };

/** Not buffered in the page. */
const download = (runId: string): void => {
  const link = document.createElement("a");
  link.href = `/api/runs/${runId}/export`;
  link.download = "";
  link.click();
};

/** Reveals values on request and signs the head. */
const useExport = (runId: string, onDone: () => void) => {
  const client = useTRPCClient();

  return useMutation({
    mutationFn: async (reason: string | null) => {
      if (reason !== null) await client.runs.openHidden.mutate({ runId, reason });
      await client.runs.attest.mutate({ runId });
      download(runId);
    },
    onSuccess: onDone,
  });
};

export const ExportDialog = ({ runId, onClose }: Props) => {
  const session = useQuery(useTRPC().session.current.queryOptions());
  const [isWhole, setIsWhole] = useState(false);
  const [reason, setReason] = useState("");
  const bundle = useExport(runId, onClose);
  const given = reason.trim();
  const error = bundle.error ? toApiError(bundle.error) : null;

  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Export this run"
      description="Downloads every record, the executed version and the public keys. Anyone can verify the file without this installation."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabledReason={isWhole && given === "" ? "Enter a reason first." : null}
            pending={bundle.isPending ? (isWhole ? "Recording…" : "Signing…") : null}
            onClick={() => bundle.mutate(isWhole ? given : null)}
          >
            Download
          </Button>
        </>
      }
    >
      {error ? (
        <Callout kind="refused" title={error.message} alert className="mb-3">
          {error.requestId ? <p className="font-mono text-xs">Request {error.requestId}</p> : null}
        </Callout>
      ) : null}
      <ul className="list-disc pl-4 text-sm">
        <li>Values hidden from you stay hidden. Their commitments are included and can still be verified.</li>
        <li>The runner signs the current head, so records removed from the end are detected.</li>
        <li>A fork includes the records of its parent.</li>
      </ul>
      {session.data?.auditor === true ? (
        <div className="mt-3 flex flex-col gap-3">
          <Checkbox checked={isWhole} onCheckedChange={setIsWhole}>
            Include values hidden from me. The ledger records each opened value with your reason.
          </Checkbox>
          {isWhole ? (
            <Field label="Reason" hint="Stored in the ledger with each opened value.">
              <Textarea value={reason} maxLength={2_000} onChange={(event) => setReason(event.currentTarget.value)} />
            </Field>
          ) : null}
        </div>
      ) : null}
    </Dialog>
  );
};
