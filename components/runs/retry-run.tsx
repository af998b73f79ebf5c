"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { explainDenial, type Role } from "@/lib/roles";
import type { RunDetails } from "./types";

type Props = {
  readonly run: RunDetails["run"];
  readonly role: Role;
  readonly onClose: () => void;
};

const objectionTo = (run: Props["run"], role: Role): string | null =>
  explainDenial(role, "run.start") ?? (run.parentRun === null ? null : "Forks can't be restarted. Fork the parent run again.");

export const RetryDialog = ({ run, role, onClose }: Props) => {
  const trpc = useTRPC();
  const router = useRouter();
  const retry = useMutation(trpc.runs.fork.mutationOptions({ onSuccess: ({ runId: id }) => router.push(`/runs/${id}`) }));

  return (
    <Dialog
      open
      onOpenChange={(next) => (next ? undefined : onClose())}
      title="Run again with the same settings?"
      description="Starts a new run of the same version with the same goal, inputs, model and limits, linked to this run."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabledReason={objectionTo(run, role)}
            pending={retry.isPending || retry.isSuccess ? "Starting…" : null}
            onClick={() => retry.mutate({ runId: run.id, seq: 0, change: { type: "none" }, effects: "live" })}
          >
            Run again
          </Button>
        </>
      }
    >
      {retry.error ? <Callout kind="refused" title={toApiError(retry.error).message} alert className="mb-3" /> : null}
      <ul className="list-disc pl-4 text-sm">
        <li>The new run is live: it calls tools and opens its own gates. Approvals from this run don&apos;t carry over.</li>
        <li>Inputs that are hidden from you are reused and stay hidden.</li>
        <li>Untrusted inputs stay untrusted.</li>
      </ul>
    </Dialog>
  );
};
