"use client";

import { useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import { useShortcuts } from "@/components/shortcuts/use-shortcuts";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Kbd } from "@/components/ui/kbd";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonRows } from "@/components/ui/skeleton";
import { actOf, BY_KEY } from "@/components/arming/arming";
import { ArmingRefusal } from "@/components/arming/arming-refusal";
import { ConfirmBar } from "@/components/approvals/confirm-bar";
import { CHOICE_TEXT } from "@/components/approvals/undo/choice-text";
import { RawToggle } from "@/components/approvals/seeing/raw-toggle";
import { SeeingContext } from "@/components/approvals/seeing/seeing-context";
import { explainUnseen, UnseenBar } from "@/components/approvals/seeing/unseen-bar";
import { useSeeing, type SeeingState } from "@/components/approvals/seeing/use-seeing";
import { useDecisions } from "@/components/approvals/undo/use-decisions";
import { WaitingBar } from "@/components/approvals/undo/waiting-bar";
import { listFailures, type WaitingDecision } from "@/components/approvals/undo/waiting-decision";
import { getShown, explainNotThis, type Shown } from "./bulk-decision";
import { TogetherItem } from "./together-item";
import { useTogether, type Together, type TogetherChoice } from "./use-together";

type Props = {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
};

const useShown = (ids: readonly string[]) => {
  const trpc = useTRPC();

  return useQueries({
    queries: ids.map((id) => trpc.approvals.get.queryOptions({ approvalId: id }, { staleTime: 0 })),
    combine: (answers) => ({
      isPending: answers.some(({ isPending }) => isPending),
      errors: answers.flatMap(({ error }, index) => (error ? [{ id: ids[index] ?? "", error }] : [])),
      details: answers.flatMap(({ data }) => data ?? []),
    }),
  });
};

/** The server may still list them as open. */
const useDecidedHere = (): ReadonlySet<string> => {
  const all = useDecisions();

  return useMemo(
    () => new Set(all.flatMap(({ parts }) => parts.flatMap(({ approvalId, outcome }) => (outcome?.ok === true ? [approvalId] : [])))),
    [all],
  );
};

const blockedBy = (shown: readonly Shown[], failed: number): string | null => {
  if (failed > 0) return "Some requests could not be loaded. Leave them out or try again later";
  const unfit = shown.filter((one) => explainNotThis(one) !== null).length;
  if (unfit > 0)
    return `${unfit} ${unfit === 1 ? "request" : "requests"} can't be decided together with others. Leave ${unfit === 1 ? "it" : "them"} out`;
  if (shown.length === 0) return "All requests are decided";
  if (shown.length < 2) return "Only one request is left. Decide it on its own page";

  return new Set(shown.map(({ details }) => details.authority.class)).size > 1
    ? "The requests have different authority. Decide one kind at a time"
    : null;
};

const authorityOf = (shown: readonly Shown[]): string => [...new Set(shown.map(({ details }) => details.view.authority))].join(" ");

const Summary = ({ waiting }: { readonly waiting: WaitingDecision }) => {
  if (waiting.phase === "undone") return <p className="text-sm">Undone. Nothing was sent.</p>;
  const failed = listFailures(waiting).length;

  return (
    <output className="text-sm">
      {waiting.parts.length - failed} of {waiting.parts.length} committed{failed > 0 ? `, ${failed} failed (see above)` : ""}.
    </output>
  );
};

const Bar = ({
  shown,
  blocked,
  seeing,
  together,
}: {
  shown: readonly Shown[];
  blocked: string | null;
  seeing: SeeingState;
  together: Together;
}) => {
  const { choice, covered, waiting, isPending, arm } = together;
  const canArm = choice === null && !isPending && shown.length > 0;
  const unapproved = blocked ?? explainUnseen(seeing);
  const shortcuts = useMemo(() => {
    const shortcut = (key: string, next: TogetherChoice) => ({
      keys: [key],
      label: next === "approve" ? "Approve all" : "Reject all",
      group: "Decision",
      decides: true as const,
      whyNot: () => (next === "approve" ? unapproved : blocked),
      run: () => arm(next, BY_KEY),
    });

    return canArm ? [shortcut("a", "approve"), shortcut("r", "reject")] : [];
  }, [canArm, blocked, unapproved, arm]);
  useShortcuts(shortcuts);
  const authority = authorityOf(covered);
  const [count, requests] = [covered.length, covered.length === 1 ? "request" : "requests"];

  return (
    <footer aria-label="Decision" className="sticky bottom-0 z-10 flex shrink-0 flex-col gap-2 border-t bg-surface px-6 py-3 max-sm:px-3">
      <p aria-live="assertive" className="sr-only">
        {choice ? `${CHOICE_TEXT[choice].armed} ${count} ${requests}. ${authority} Press Enter to confirm or Escape to cancel.` : null}
        {waiting?.phase === "counting" ? "Sending in 5 seconds. Press u to undo." : null}
        {waiting?.phase === "sending" ? "Committing." : null}
      </p>
      {together.wasChanged ? <Callout kind="tainted" title="A request changed while you were deciding. Review it again." alert /> : null}
      {canArm && blocked === null ? <UnseenBar seeing={seeing} /> : null}
      {canArm ? <ArmingRefusal text={together.armingRefusal} /> : null}
      {waiting && !isPending ? <Summary waiting={waiting} /> : null}
      {choice ? (
        <ConfirmBar
          key={choice}
          isQuestion={false}
          choice={choice}
          consequence={
            choice === "approve"
              ? `${count} separate decisions. ${authority}`
              : count === 1
                ? `Rejects only this: ${covered[0]?.details.view.summary ?? covered[0]?.details.view.prompt ?? ""}`
                : `Rejects ${count} requests, each with its own decision. None of them is carried out.`
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
            {blocked ?? "Each request gets its own decision, bound to the digests of its transition and view."}
          </p>
          <Button variant="danger" disabledReason={blocked} onClick={(event) => arm("reject", actOf(event))}>
            Reject all <Kbd>r</Kbd>
          </Button>
          <Button variant="primary" disabledReason={unapproved} onClick={(event) => arm("approve", actOf(event))}>
            Approve all <Kbd>a</Kbd>
          </Button>
        </div>
      ) : null}
    </footer>
  );
};

export const TogetherPage = ({ ids, onChange }: Props) => {
  const { isPending, errors, details } = useShown(ids);
  const shown = useMemo(() => details.map(getShown), [details]);
  const decided = useDecidedHere();
  // Leaves out requests decided or edited meanwhile.
  const open = useMemo(
    () => shown.filter(({ details: { approval } }) => approval.status === "open" && !decided.has(approval.id)),
    [shown, decided],
  );
  const blocked = isPending ? "Loading the requests" : blockedBy(open, errors.length);
  const seeing = useSeeing(useMemo(() => open.map(({ sealed }) => sealed), [open]));
  const together = useTogether(open, seeing, blocked);
  const { waiting } = together;
  const isIdle = !together.isPending && together.choice === null;
  const leaveOut = (id: string) => onChange(ids.filter((each) => each !== id));

  return (
    <>
      <SeeingContext value={seeing.context}>
        <PageHeader
          title={`Decide ${ids.length} together`}
          description="Read each request. Each gets its own decision, bound to the view shown here. Reject or edit single ones first."
          actions={
            <>
              <RawToggle />
              <Button onClick={() => onChange([])}>Back to list</Button>
            </>
          }
        />
        <div className="mx-auto w-full max-w-4xl flex-1 px-6 py-4 max-sm:px-3">
          {isPending ? <SkeletonRows rows={6} /> : null}
          <ul aria-label="Approvals to decide together" className="rounded-lg border bg-surface">
            {errors.map(({ id, error }) => (
              <li key={id} className="flex items-center gap-3 border-b px-3 py-2 text-sm last:border-b-0">
                <span className="min-w-0 flex-1">
                  {toApiError(error).message} <span className="font-mono text-xs text-muted">{toApiError(error).requestId}</span>
                </span>
                <Button size="sm" onClick={() => leaveOut(id)}>
                  Leave out
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
                  onRemove={isIdle && waiting?.phase !== "settled" ? () => leaveOut(id) : null}
                  isOpen={open.includes(one)}
                  onReject={isIdle ? (act) => together.arm("reject", act, id) : null}
                  onEdited={(by) => onChange(ids.map((each) => (each === id ? by : each)))}
                />
              );
            })}
          </ul>
        </div>
      </SeeingContext>
      <Bar shown={open} blocked={blocked} seeing={seeing} together={together} />
    </>
  );
};
