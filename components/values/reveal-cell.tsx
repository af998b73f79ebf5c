"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { Field } from "@/components/ui/field";
import { Mark } from "@/components/ui/marks/mark";
import { Textarea } from "@/components/ui/textarea";
import type { Json } from "@/lib/json";
import { shortenPath } from "./shorten-path";
import type { RevealCheck } from "./reveal-check";
import { SHREDDED } from "./visible-value";
import { ShownValue } from "./value-text";

type Content = { readonly kind: "shredded" } | { readonly kind: "value"; readonly value: Json; readonly salt: string };

/** Checked independently of the server. */
const Proof = ({ content, check }: { readonly content: Content; readonly check: RevealCheck }) => {
  if (content.kind === "shredded") return null;
  const holds = check.holds(content);

  return (
    <div role={holds ? undefined : "alert"} className="flex flex-wrap items-center gap-2 text-xs">
      <Mark kind={holds ? "clean" : "refused"}>{holds ? check.yes : check.no}</Mark>
      <DigestChip digest={check.digest} label={check.label} />
      <span className="text-muted">recorded in {check.namedBy}, compared in this browser</span>
    </div>
  );
};

type RevealedProps = {
  readonly data: { readonly record: number; readonly content: Content };
  readonly checks: readonly RevealCheck[];
};

const Revealed = ({ data, checks }: RevealedProps) => (
  <section aria-label="The value" className="flex flex-col gap-2">
    <ShownValue shown={data.content.kind === "shredded" ? SHREDDED : { kind: "value", value: data.content.value }} />
    {checks.map((check) => (
      <Proof key={check.label} content={data.content} check={check} />
    ))}
    <p className="text-xs text-muted">Record {data.record} logs that you opened this value.</p>
    <p className="text-xs text-muted">The value disappears when you close this dialog or reload the page.</p>
  </section>
);

type Props = {
  readonly runId: string;
  readonly seq: number;
  readonly index: number;
  readonly path: string;
  readonly checks?: readonly RevealCheck[];
  /** If different from the path. */
  readonly name?: string | undefined;
};

export const RevealCell = ({ runId, seq, index, path, checks = [], name }: Props) => {
  const trpc = useTRPC();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useState("");
  const reveal = useMutation(trpc.runs.openCell.mutationOptions({ gcTime: 0 }));
  const given = reason.trim();
  const change = (open: boolean) => {
    setIsOpen(open);
    // Removes the value from the page.
    if (!open) reveal.reset();
  };
  const ask = () => reveal.mutate({ runId, seq, index, purpose: "audit", reason: given });
  const said = name ?? shortenPath(path);

  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Reveal ${said}`} onClick={() => change(true)}>
        Reveal
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={change}
        title="Reveal a hidden value"
        description="Before the value is shown, the run's ledger permanently records that you opened it and why."
        footer={
          <>
            <Button onClick={() => change(false)}>Close</Button>
            {reveal.data ? null : (
              <Button
                variant="primary"
                disabledReason={given === "" ? "Enter a reason first." : null}
                pending={reveal.isPending ? "Recording…" : null}
                onClick={ask}
              >
                Record and reveal
              </Button>
            )}
          </>
        }
      >
        {reveal.error ? <Callout kind="refused" title={toApiError(reveal.error).message} alert className="mb-3" /> : null}
        <dl className="mb-3 grid grid-cols-[6rem_1fr] gap-y-1 text-sm">
          <dt className="text-muted">Value</dt>
          <dd className="font-mono text-xs leading-5 break-all">
            {said}, written in record {seq}
          </dd>
          <dt className="text-muted">Purpose</dt>
          <dd>Audit</dd>
        </dl>
        {reveal.data ? (
          <Revealed data={reveal.data} checks={checks} />
        ) : (
          <Field label="Reason" hint="Required. Stored in the ledger.">
            <Textarea value={reason} maxLength={2_000} onChange={(event) => setReason(event.currentTarget.value)} />
          </Field>
        )}
      </Dialog>
    </>
  );
};
