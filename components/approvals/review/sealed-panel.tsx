"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { LockKeyhole } from "lucide-react";
import { useCallback, useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Kbd } from "@/components/ui/kbd";
import { actOf, BY_KEY, type Act } from "@/components/arming/arming";
import { ArmingRefusal } from "@/components/arming/arming-refusal";
import { useArming } from "@/components/arming/use-arming";
import type { ApprovalDetails } from "@/components/approvals/types";

/** Each opening is recorded. */
const useOpening = ({ approval, run, sealed }: ApprovalDetails) => {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { mutateAsync } = useMutation(trpc.runs.openCell.mutationOptions());

  return useMutation({
    mutationFn: async () => {
      for (const { seq, index } of sealed) {
        await mutateAsync({ runId: run.id, seq, index, purpose: "review", caseId: approval.id });
      }
    },
    onSettled: () => queries.invalidateQueries(trpc.approvals.pathFilter()),
  });
};

const Denied = ({ error }: { readonly error: unknown }) => {
  const { message, refusal, requestId } = toApiError(error);

  return (
    <Callout kind="refused" title={message} alert>
      <p className="font-mono text-xs">
        {refusal} {requestId ? `Request ${requestId}` : null}
      </p>
    </Callout>
  );
};

type Props = { readonly details: ApprovalDetails; readonly blocked: string | null };

export const SealedPanel = ({ details, blocked }: Props) => {
  const { mutate, isPending, error } = useOpening(details);
  const mayOpen = blocked === null && !isPending;
  const { arm, refusal } = useArming(details.approval.id);
  const open = useCallback(
    (act: Act) => {
      if (arm(act) !== null) mutate();
    },
    [arm, mutate],
  );
  const shortcuts = useMemo(
    () =>
      mayOpen ? [{ keys: ["o"], label: "Open sealed values", group: "Decision", decides: true as const, run: () => open(BY_KEY) }] : [],
    [mayOpen, open],
  );
  useShortcuts(shortcuts);
  const paths = [...new Set(details.sealed.map(({ path }) => path))];

  return (
    <section aria-label="Sealed" className="flex flex-col gap-3 rounded-lg border border-dashed bg-surface px-4 py-5">
      <div className="flex flex-wrap items-center gap-3">
        <LockKeyhole aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <h2 className="text-sm font-semibold">Sealed until you open it</h2>
          <p className="text-sm text-muted">
            Written by others: <span className="font-mono text-xs text-ink">{paths.join(", ")}</span>. Each opening is recorded in the run
            under your name, for this case only.
          </p>
        </div>
        <Button
          variant="primary"
          disabledReason={blocked}
          pending={isPending ? "Recording…" : null}
          onClick={(event) => open(actOf(event))}
        >
          Open {details.sealed.length === 1 ? "value" : `${details.sealed.length} values`} <Kbd>o</Kbd>
        </Button>
      </div>
      <ArmingRefusal text={refusal} />
      {error ? <Denied error={error} /> : null}
    </section>
  );
};
