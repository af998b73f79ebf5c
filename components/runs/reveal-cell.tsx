"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/textarea";
import { shortPath } from "./places";
import { SHREDDED } from "./shown";
import { ShownValue } from "./shown-value";

type Props = { readonly runId: string; readonly seq: number; readonly index: number; readonly path: string };

/** Opens one hidden value for an auditor: asked for with a reason, recorded by the runner, and only then shown. */
export const RevealCell = ({ runId, seq, index, path }: Props) => {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const reveal = useMutation(trpc.runs.openCell.mutationOptions());
  const given = reason.trim();
  const change = (open: boolean) => {
    setIsOpen(open);
    // What was shown does not stay in the page behind a closed dialog.
    if (!open) reveal.reset();
  };
  const ask = () => reveal.mutate({ run_id: runId, seq, index, purpose: "audit", ...(given ? { reason: given } : {}) });

  return (
    <>
      <Button size="sm" variant="ghost" onClick={() => change(true)}>
        Reveal
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={change}
        title="Reveal a hidden value"
        description="The run's ledger records that you opened this value, and what for, before you are shown it. The record stays for good."
        footer={
          <>
            <Button onClick={() => change(false)}>Close</Button>
            {reveal.data ? null : (
              <Button variant="primary" pending={reveal.isPending ? "recording…" : null} onClick={ask}>
                Record and reveal
              </Button>
            )}
          </>
        }
      >
        {reveal.error ? <Callout kind="refused" title={apiError(reveal.error).message} alert className="mb-3" /> : null}
        <dl className="mb-3 grid grid-cols-[6rem_1fr] gap-y-1 text-sm">
          <dt className="text-muted">Value</dt>
          <dd className="font-mono text-xs leading-5 break-all">
            {shortPath(path)}, written at {seq}
          </dd>
          <dt className="text-muted">Purpose</dt>
          <dd>Audit</dd>
        </dl>
        {reveal.data ? (
          <section aria-label="The value" className="flex flex-col gap-2">
            <ShownValue shown={reveal.data.content.kind === "shredded" ? SHREDDED : reveal.data.content} />
            <p className="text-xs text-muted">Record {reveal.data.record} says that you opened it.</p>
          </section>
        ) : (
          <Field label="Reason" hint="Kept in the ledger.">
            <Textarea value={reason} maxLength={2_000} onChange={(event) => setReason(event.currentTarget.value)} />
          </Field>
        )}
      </Dialog>
    </>
  );
};
