"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useShortcuts } from "@/components/shell/shortcuts/use-shortcuts";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Kbd } from "@/components/ui/kbd";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { actOf, BY_KEY } from "@/components/approvals/hand/arming";
import { ArmingRefusal } from "@/components/approvals/hand/arming-refusal";
import { ConfirmBar } from "@/components/approvals/confirm-bar";
import { CHOICE_TEXT } from "@/components/approvals/undo/choice-text";
import { WaitingBar } from "@/components/approvals/undo/waiting-bar";
import { failuresOf, type WaitingDecision } from "@/components/approvals/undo/waiting-decision";
import { shownOf, whyNotThis, type Shown } from "./together";
import { TogetherItem } from "./together-item";
import { useTogether, type TogetherChoice } from "./use-together";

type Props = {
  readonly ids: readonly string[];
  /** Fewer of them; none leads back to the list. */
  readonly onChange: (ids: readonly string[]) => void;
};

/** What is on screen is what was asked for when it was opened; only what is read again changes it. */
const useShown = (ids: readonly string[]) => {
  const trpc = useTRPC();

  return useQueries({
    queries: ids.map((id) => trpc.approvals.get.queryOptions({ approval_id: id }, { staleTime: 0 })),
    combine: (answers) => ({
      isPending: answers.some(({ isPending }) => isPending),
      errors: answers.flatMap(({ error }, index) => (error ? [{ id: ids[index] ?? "", error }] : [])),
      details: answers.flatMap(({ data }) => data ?? []),
    }),
  });
};

const blockedBy = (shown: readonly Shown[], failed: number): string | null => {
  if (failed > 0) return "Not all of them could be loaded: leave those out, or come back";
  const unfit = shown.filter((one) => whyNotThis(one) !== null).length;
  if (unfit > 0) return `${unfit} of them cannot be decided together with others: leave them out`;
  if (shown.length < 2) return "There is only one left: decide it on its own page";

  return new Set(shown.map(({ details }) => details.authority.class)).size > 1 ? "They do not all hand out the same" : null;
};

const authorityOf = (shown: readonly Shown[]): string => [...new Set(shown.map(({ details }) => details.view.authority))].join(" ");

const Summary = ({ waiting }: { readonly waiting: WaitingDecision }) => {
  if (waiting.phase === "undone") return <p className="text-sm">Undone: nothing was sent.</p>;
  const failed = failuresOf(waiting).length;

  return (
    <output className="text-sm">
      {waiting.parts.length - failed} of {waiting.parts.length} committed{failed > 0 ? `, ${failed} not: see each above` : ""}.
    </output>
  );
};

const Bar = ({
  ids,
  shown,
  blocked,
  together,
}: {
  ids: readonly string[];
  shown: readonly Shown[];
  blocked: string | null;
  together: ReturnType<typeof useTogether>;
}) => {
  const { choice, waiting, isPending, arm } = together;
  const isDone = waiting?.phase === "settled";
  const canArm = choice === null && !isPending && !isDone;
  const shortcuts = useMemo(() => {
    const way = (key: string, next: TogetherChoice) => ({
      keys: [key],
      label: `Arm ${next} for all of them`,
      group: "Decision",
      decides: true as const,
      whyNot: () => blocked,
      run: () => arm(next, BY_KEY),
    });

    return canArm ? [way("a", "approve"), way("r", "reject")] : [];
  }, [canArm, blocked, arm]);
  useShortcuts(shortcuts);
  const authority = authorityOf(shown);

  return (
    <footer aria-label="Decision" className="sticky bottom-0 z-10 flex shrink-0 flex-col gap-2 border-t bg-surface px-6 py-3 max-sm:px-3">
      <p aria-live="assertive" className="sr-only">
        {choice ? `${CHOICE_TEXT[choice].armed} For ${ids.length} approvals. ${authority} Enter commits, Escape disarms.` : null}
        {waiting?.phase === "counting" ? "Committing in 5 seconds. Press u to undo." : null}
        {waiting?.phase === "sending" ? "Committing." : null}
      </p>
      {together.wasChanged ? (
        <Callout kind="tainted" title="What is shown has changed, so nothing is armed any more. Look again." alert />
      ) : null}
      {canArm ? <ArmingRefusal text={together.armingRefusal} /> : null}
      {waiting && !isPending ? <Summary waiting={waiting} /> : null}
      {choice ? (
        <ConfirmBar
          key={choice}
          isQuestion={false}
          choice={choice}
          consequence={
            choice === "approve"
              ? `${ids.length} decisions, each by itself. ${authority}`
              : `Each of the ${ids.length} runs takes its rejection path; nothing is written.`
          }
          reason={together.reason}
          onReason={together.setReason}
          needsReason={choice === "reject"}
          isReasonMissing={together.isReasonMissing}
          onDisarm={together.disarm}
          onCommit={together.commit}
        />
      ) : null}
      {waiting && isPending ? <WaitingBar waiting={waiting} takesFocus /> : null}
      {canArm ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 text-sm text-muted max-sm:basis-full">
            {blocked ?? "One decision for each of them, which covers its transition and its view by their digests."}
          </p>
          <Button variant="danger" disabledReason={blocked} onClick={(event) => arm("reject", actOf(event))}>
            Reject all <Kbd>r</Kbd>
          </Button>
          <Button variant="primary" disabledReason={blocked} onClick={(event) => arm("approve", actOf(event))}>
            Approve all <Kbd>a</Kbd>
          </Button>
        </div>
      ) : null}
    </footer>
  );
};

/** Several approvals of one kind, each listed with what its decision is about, decided with one commit. */
export const TogetherPage = ({ ids, onChange }: Props) => {
  const { isPending, errors, details } = useShown(ids);
  const shown = useMemo(() => details.map(shownOf), [details]);
  const blocked = isPending ? "They are being loaded" : blockedBy(shown, errors.length);
  const together = useTogether(ids, shown, blocked);
  const { waiting } = together;
  const isOver = waiting?.phase === "settled";
  const leaveOut = (id: string) => onChange(ids.filter((each) => each !== id));

  return (
    <>
      <PageHeader
        title={`Decide ${ids.length} together`}
        description="Read each: every one of them gets a decision of its own, bound to exactly what stands here."
        actions={<Button onClick={() => onChange([])}>Back to the list</Button>}
      />
      <div className="mx-auto w-full max-w-4xl flex-1 px-6 py-4 max-sm:px-3">
        {isPending ? <SkeletonRows rows={6} /> : null}
        <ul aria-label="Approvals to decide together" className="rounded-lg border bg-surface">
          {errors.map(({ id, error }) => (
            <li key={id} className="flex items-center gap-3 border-b px-3 py-2 text-sm last:border-b-0">
              <span className="min-w-0 flex-1">
                {apiError(error).message} <span className="font-mono text-xs text-muted">{apiError(error).requestId}</span>
              </span>
              <Button size="sm" onClick={() => leaveOut(id)}>
                Leave it out
              </Button>
            </li>
          ))}
          {shown.map((one) => {
            const { id } = one.details.approval;

            return (
              <TogetherItem
                key={id}
                shown={one}
                outcome={waiting?.parts.find(({ approvalId }) => approvalId === id)?.outcome ?? null}
                onRemove={together.isPending || isOver || together.choice ? null : () => leaveOut(id)}
              />
            );
          })}
        </ul>
      </div>
      <Bar ids={ids} shown={shown} blocked={isOver ? null : blocked} together={together} />
    </>
  );
};
