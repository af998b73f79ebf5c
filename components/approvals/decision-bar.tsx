"use client";

import Link from "next/link";
import { useMemo } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Kbd } from "@/components/ui/kbd";
import { ConfirmBar } from "./confirm-bar";
import type { ApprovalDetails } from "./types";
import type { Decision } from "./use-decision";

type Props = {
  readonly details: ApprovalDetails;
  readonly decision: Decision;
  /** Why nobody may decide about what is on screen. */ readonly fault: string | null;
};

const Outcome = ({ decision, runId }: { readonly decision: Decision; readonly runId: string }) => {
  if (decision.error) {
    const { message, refusal, requestId } = apiError(decision.error);

    return (
      <Callout kind="refused" title={message} alert className="mb-2">
        <p className="text-xs">
          {refusal ? <span className="font-mono">{refusal}</span> : null}{" "}
          {requestId ? <span className="font-mono text-muted">Request {requestId}</span> : null}
        </p>
      </Callout>
    );
  }

  return decision.seq === null ? null : (
    <output className="mb-2 block text-sm">
      Committed as{" "}
      <Link href={`/runs/${runId}?t=${decision.seq}`} className="font-medium text-accent underline underline-offset-2">
        record {decision.seq}
      </Link>{" "}
      of the run.
    </output>
  );
};

/** Approve and reject, in two steps each; never optimistic. */
export const DecisionBar = ({ details, decision, fault }: Props) => {
  const { can_decide: canDecide, view, run } = details;
  const blocked = canDecide.ok ? fault : canDecide.reason;
  const { arm, choice, isCase } = decision;
  const mayArm = blocked === null && choice === null && !decision.isPending;
  const shortcuts = useMemo(
    () =>
      mayArm
        ? [
            { keys: ["a"], label: "Arm approve", group: "Decision", run: () => arm("approve") },
            { keys: ["r"], label: "Arm reject", group: "Decision", run: () => arm("reject") },
            ...(isCase ? [{ keys: ["n"], label: "Arm abstain", group: "Decision", run: () => arm("abstain") }] : []),
          ]
        : [],
    [mayArm, isCase, arm],
  );
  useShortcuts(shortcuts);

  return (
    <footer aria-label="Decision" className="sticky bottom-0 z-10 shrink-0 border-t bg-surface px-6 py-3">
      <p aria-live="assertive" className="sr-only">
        {choice === "approve" ? `Approve is armed. ${view.authority} ${view.effect} Enter commits, Escape disarms.` : null}
        {choice === "reject" ? "Reject is armed. Enter commits, Escape disarms." : null}
        {choice === "abstain" ? "Abstain is armed. Enter commits, Escape disarms." : null}
        {decision.isPending ? "Committing." : null}
      </p>
      <Outcome decision={decision} runId={run.id} />
      {choice ? (
        <ConfirmBar key={choice} decision={decision} choice={choice} authority={view.authority} />
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 text-sm text-muted">
            {blocked ?? "Your decision covers the transition and the view by their digests, and nothing else."}
          </p>
          {isCase ? (
            <Button disabledReason={blocked} pending={decision.isPending ? "committing…" : null} onClick={() => arm("abstain")}>
              Abstain <Kbd>n</Kbd>
            </Button>
          ) : null}
          <Button
            variant="danger"
            disabledReason={blocked}
            pending={decision.isPending ? "committing…" : null}
            onClick={() => arm("reject")}
          >
            Reject <Kbd>r</Kbd>
          </Button>
          <Button
            variant="primary"
            disabledReason={blocked}
            pending={decision.isPending ? "committing…" : null}
            onClick={() => arm("approve")}
          >
            Approve <Kbd>a</Kbd>
          </Button>
        </div>
      )}
    </footer>
  );
};
