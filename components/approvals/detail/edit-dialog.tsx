"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Kbd } from "@/components/ui/kbd";
import { Textarea } from "@/components/ui/textarea";
import type { ApprovalDetails } from "@/components/approvals/types";
import type { Transition } from "@/lib/engine/event";
import type { JsonObject } from "@/lib/json";
import { EditDiff } from "./edit-diff";
import { isUnchanged, findProposed, type Change, type Proposed } from "@/components/schema-form/edit-draft";
import { toDraft, EditForm } from "@/components/schema-form/edit-form";

const useEdit = (details: ApprovalDetails, onDone: () => void) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const edit = useMutation(
    trpc.approvals.edit.mutationOptions({
      onSuccess: onDone,
      onSettled: () => queries.invalidateQueries(trpc.approvals.pathFilter()),
    }),
  );
  const { approval, view, gate } = details;
  const send = (change: Change, reason: string) =>
    edit.mutate({
      approvalId: approval.id,
      transitionDigest: view.transition_digest,
      nonce: gate.nonce,
      change: "arguments" in change ? change : { updates: [...change.updates] },
      ...(reason === "" ? {} : { reason }),
    });

  return { send, isPending: edit.isPending, error: edit.error };
};

type BodyProps = {
  readonly details: ApprovalDetails;
  readonly proposed: Proposed;
  readonly schema: JsonObject | null;
  readonly onClose: () => void;
};

const aloneText = ({ gate }: ApprovalDetails): string =>
  gate.quorum === 1 ? "Someone else must approve it." : `You can't approve it alone: ${gate.quorum} people must approve.`;

/** Mounted while open, so that it starts from the current proposal. */
const Body = ({ details, proposed, schema, onClose }: BodyProps) => {
  const [draft, setDraft] = useState(() => toDraft(proposed, schema));
  const [reason, setReason] = useState("");
  const { send, isPending, error } = useEdit(details, onClose);
  const { change } = draft;
  const blocked = change === null ? "Fix the marked fields." : isUnchanged(proposed, change) ? "No changes yet." : null;

  return (
    <div className="flex flex-col gap-4">
      {error ? (
        <Callout kind="refused" title={toApiError(error).message} alert>
          <p className="font-mono text-xs">{toApiError(error).refusal}</p>
        </Callout>
      ) : null}
      <EditForm proposed={proposed} schema={schema} draft={draft} onDraft={setDraft} />
      <section aria-label="Changes to the proposal" className="rounded-md border bg-sunken px-3 py-2">
        <h3 className="pb-1 text-xs font-semibold text-muted">Changes to the proposal</h3>
        <EditDiff proposed={proposed} change={change} />
      </section>
      <Field label="Reason (optional)">
        <Textarea rows={2} value={reason} maxLength={2_000} onChange={(event) => setReason(event.currentTarget.value)} />
      </Field>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p className="min-w-0 flex-1 text-sm text-muted">This replaces the request. {aloneText(details)}</p>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          disabledReason={blocked}
          pending={isPending ? "Submitting…" : null}
          onClick={() => {
            if (change) send(change, reason.trim());
          }}
        >
          Submit edit
        </Button>
      </div>
    </div>
  );
};

type Props = {
  readonly details: ApprovalDetails;
  readonly schema: JsonObject | null;
  readonly effect: Transition["effect"];
  readonly blocked: string | null;
  /** False: the page has several. */
  readonly hasKey?: boolean;
};

export const EditButton = ({ details, schema, effect, blocked, hasKey = true }: Props) => {
  const [isOpen, setIsOpen] = useState(false);
  const proposed = useMemo(() => findProposed(details.view, effect && `${effect.server}.${effect.tool}`), [details.view, effect]);
  const reason = blocked ?? (proposed === null ? "You can't edit anything in this request." : null);
  const shortcuts = useMemo(
    () => (hasKey ? [{ keys: ["e"], label: "Edit proposal", group: "Decision", whyNot: () => reason, run: () => setIsOpen(true) }] : []),
    [hasKey, reason],
  );
  useShortcuts(shortcuts);

  return (
    <>
      <Button size="sm" disabledReason={reason} onClick={() => setIsOpen(true)}>
        Edit {hasKey ? <Kbd>e</Kbd> : null}
      </Button>
      <Dialog
        size="lg"
        open={isOpen && proposed !== null}
        onOpenChange={setIsOpen}
        title="Edit proposal"
        description="An edit is a new proposal. It is validated like the first one and needs its own decision."
      >
        {isOpen && proposed ? <Body details={details} proposed={proposed} schema={schema} onClose={() => setIsOpen(false)} /> : null}
      </Dialog>
    </>
  );
};
