"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useMemo } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { NoAccess } from "@/components/ui/page";
import { SkeletonRows } from "@/components/ui/skeleton";
import { explainDenial, type Role } from "@/lib/roles";
import { AsideNotes, SnoozeButton } from "./aside/aside-panel";
import { AnswerForm } from "./answer/answer-form";
import { DecisionBar } from "./decision-bar";
import { BesideContext, type Beside } from "./detail/beside-context";
import { ApprovalComments } from "./detail/approval-comments";
import { Cost } from "./detail/cost";
import { Deciders } from "./detail/deciders";
import { EditButton } from "./detail/edit-dialog";
import { FoldedOnPhone } from "./detail/folded-on-phone";
import { Findings } from "./detail/findings";
import { Heading, getNodeTitle } from "./detail/heading";
import { IfRejected } from "./detail/if-rejected";
import { Similar } from "./detail/similar";
import { Signals } from "./detail/signals";
import { SignedBytes } from "./detail/signed-bytes";
import { StatusStrip } from "./detail/status-strip";
import { Superseded, WhatChanged } from "./detail/superseding";
import { Surroundings } from "./detail/surroundings";
import { TurnNote } from "./detail/turn-note";
import { useAround } from "./detail/use-around";
import { GateReachPanel } from "./gate-reach";
import { QueueNeighbours } from "./inbox/queue-neighbours";
import { ReviewDesk } from "./review/review-desk";
import { RawToggle } from "./seeing/raw-toggle";
import { SeeingContext } from "./seeing/seeing-context";
import { useSeeing } from "./seeing/use-seeing";
import { sealView } from "./sealed-view";
import type { ApprovalDetails } from "./types";
import { useDecision } from "./use-decision";
import { ViewLines } from "./view-lines";

/** Shows decisions of others. */
const REFRESH_MS = 3_000;

const UNBOUND = "The transition's bytes don't match its digest, so you can't decide this request.";

const AroundFailed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { message, requestId } = toApiError(error);

  return (
    <EmptyState
      kind="failed"
      title="The context could not be loaded"
      requestId={requestId}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};

const commentBlocked = ({ approval }: ApprovalDetails, role: Role): string | null =>
  approval.status === "open" ? explainDenial(role, "approval.comment") : "This request is closed to comments.";

type ScreenProps = { readonly answered: ApprovalDetails; readonly role: Role; readonly auditor: boolean };

const ApprovalScreen = ({ answered, role, auditor }: ScreenProps) => {
  const sealed = useMemo(() => sealView(answered.view, answered.transition), [answered.view, answered.transition]);
  // Everything below renders the hashed view.
  const details = useMemo(() => ({ ...answered, view: sealed.view }), [answered, sealed.view]);
  const seeing = useSeeing(useMemo(() => [sealed], [sealed]));
  const decision = useDecision(details, sealed, seeing);
  const around = useAround(answered.approval.id);
  const { view, people, run } = details;
  const beside = useMemo<Beside>(
    () => ({ runId: run.id, around: around.data ?? null, transition: sealed.isBound ? sealed.transition : null, mayReveal: auditor }),
    [run.id, around.data, sealed, auditor],
  );

  return (
    <BesideContext value={beside}>
      <div className={cn("mx-auto flex w-full flex-1 flex-col gap-4 px-6 py-5 max-sm:px-3", decision.isCase ? "max-w-6xl" : "max-w-5xl")}>
        <QueueNeighbours approvalId={view.approval_id} />
        <Heading view={view} graphName={details.approval.graphName} nodeTitle={getNodeTitle(details, view.node)} />
        <Signals signals={view.signals} runId={run.id} />
        <StatusStrip
          details={details}
          actions={
            details.approval.status === "open" && !decision.isCase ? (
              <>
                <SnoozeButton details={details} />
                <EditButton
                  details={details}
                  schema={around.data?.schema ?? null}
                  effect={sealed.transition?.effect ?? null}
                  blocked={details.mayEdit.ok ? null : details.mayEdit.reason}
                />
              </>
            ) : details.approval.status === "open" ? (
              <SnoozeButton details={details} />
            ) : (
              <WhatChanged details={details} />
            )
          }
        />
        <TurnNote turn={details.turn} />
        <AsideNotes details={details} />
        <Superseded details={details} />
        {decision.answer ? (
          <AnswerForm
            answer={decision.answer}
            server={sealed.transition?.effect?.server ?? "the server"}
            blocked={
              details.approval.status !== "open" ? "This request is closed." : details.canDecide.ok ? null : details.canDecide.reason
            }
          />
        ) : null}
        {decision.isCase ? (
          <ReviewDesk details={details} findings={decision.findings} onFindings={decision.setFindings} />
        ) : (
          <SeeingContext value={seeing.context}>
            <ViewLines view={view} people={people} viewDigest={sealed.viewDigest} readAt={details.readAt} rawToggle={<RawToggle />} />
          </SeeingContext>
        )}
        <FoldedOnPhone title="Context">
          <GateReachPanel approvalId={view.approval_id} />
          <Findings policy={details.policy} />
          <Cost run={run} cost={details.cost} />
          <Similar approvalId={view.approval_id} />
          <Surroundings
            details={details}
            around={around.data ?? null}
            failed={around.isError ? <AroundFailed error={around.error} onRetry={() => void around.refetch()} /> : null}
          />
          <SignedBytes sealed={sealed} transitionText={details.transition} />
        </FoldedOnPhone>
        <Deciders details={details} />
        {details.approval.status === "open" ? <IfRejected ifRejected={details.ifRejected} isQuestion={decision.isQuestion} /> : null}
        <ApprovalComments details={details} blocked={commentBlocked(details, role)} />
      </div>
      <DecisionBar details={details} decision={decision} seeing={seeing} fault={sealed.isBound ? null : UNBOUND} />
    </BesideContext>
  );
};

const AllApprovals = () => (
  <Link href="/approvals" className={buttonStyle()}>
    All approvals
  </Link>
);

const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) => {
  const { code, message, requestId } = toApiError(error);
  if (code === "not_found") return <EmptyState isPage kind="no_match" title="Approval request not found" action={<AllApprovals />} />;
  if (code === "forbidden") {
    return <NoAccess to="this approval request" who={message} />;
  }

  return (
    <EmptyState
      isPage
      kind="failed"
      title="The approval request could not be loaded"
      requestId={requestId}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {message}
    </EmptyState>
  );
};

type Props = {
  readonly approvalId: string;
  readonly role: Role;
  readonly auditor: boolean;
};

export const ApprovalPage = ({ approvalId, role, auditor }: Props) => {
  const trpc = useTRPC();
  const details = useQuery(trpc.approvals.get.queryOptions({ approvalId }, { refetchInterval: REFRESH_MS }));
  if (details.isPending) return <SkeletonRows rows={10} />;
  if (details.isError) return <Failed error={details.error} onRetry={() => void details.refetch()} />;

  return <ApprovalScreen key={approvalId} answered={details.data} role={role} auditor={auditor} />;
};
