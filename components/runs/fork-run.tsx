"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { whyNot, type Role } from "@/lib/roles";
import { EMPTY_DRAFT, FORK_FIELDS, FORK_KINDS, forkChangeOf, type ForkDraft } from "./fork-draft";
import type { RunDetails } from "./types";

type FieldsProps = { readonly draft: ForkDraft; readonly onChange: (draft: ForkDraft) => void };

const Fields = ({ draft, onChange }: FieldsProps) => {
  const { subject, text } = FORK_FIELDS[draft.kind];

  return (
    <>
      <Field label="What is different">
        <Select items={FORK_KINDS} value={draft.kind} onValueChange={(kind) => onChange({ kind, subject: "", text: "" })} />
      </Field>
      {subject === null ? null : (
        <Field label={subject}>
          <Input
            value={draft.subject}
            maxLength={1_100}
            className="font-mono"
            onChange={(event) => onChange({ ...draft, subject: event.currentTarget.value })}
          />
        </Field>
      )}
      {text === null ? null : (
        <Field label={text}>
          <Textarea
            value={draft.text}
            maxLength={50_000}
            className="font-mono"
            onChange={(event) => onChange({ ...draft, text: event.currentTarget.value })}
          />
        </Field>
      )}
    </>
  );
};

type Props = {
  readonly run: RunDetails["run"];
  readonly role: Role;
  /** The record after which the fork goes on by itself. */
  readonly after: number;
};

/** A new run that goes on from the selected record, with one change; and, of a fork, how it differs from its parent. */
export const ForkRun = ({ run, role, after }: Props) => {
  const trpc = useTRPC();
  const router = useRouter();
  const [isOpen, setIsOpen] = useState(false);
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isLive, setIsLive] = useState(false);
  const fork = useMutation(trpc.runs.fork.mutationOptions({ onSuccess: ({ run_id: id }) => router.push(`/runs/${id}`) }));
  const change = forkChangeOf(draft);
  const seq = draft.kind === "input" ? 0 : after + 1;

  return (
    <>
      {run.parentRun === null ? null : (
        <Link href={`/runs/${run.parentRun}/compare?with=${run.id}`} className={buttonStyle({ size: "sm", variant: "ghost" })}>
          Compare with parent
        </Link>
      )}
      <Button size="sm" variant="ghost" disabledReason={whyNot(role, "run.start")} onClick={() => setIsOpen(true)}>
        Fork from here
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        title={draft.kind === "input" ? "Fork from the start" : `Fork after record ${after}`}
        description="A new run with the same records until here and one change. No approval is inherited; what is shared costs nothing."
        footer={
          <>
            <Button onClick={() => setIsOpen(false)}>Close</Button>
            <Button
              variant="primary"
              disabledReason={change.ok ? null : change.error}
              pending={fork.isPending ? "committing…" : null}
              onClick={() => change.ok && fork.mutate({ run_id: run.id, seq, change: change.value, effects: isLive ? "live" : "simulate" })}
            >
              Fork
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          {fork.error ? <Callout kind="refused" title={apiError(fork.error).message} alert /> : null}
          <Fields draft={draft} onChange={setDraft} />
          <Checkbox checked={isLive} onCheckedChange={setIsLive}>
            Live: tools are really called, behind gates of its own
          </Checkbox>
          <p className="text-xs text-muted">
            {isLive
              ? "Everything it does outside happens."
              : "Simulated: nothing is called. A call that this run has made is answered from its record, any other one is an error."}
          </p>
        </div>
      </Dialog>
    </>
  );
};
