"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldAlert, ShieldCheck } from "lucide-react";
import Link from "next/link";
import { useMemo } from "react";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { cn } from "@/components/ui/cn";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { SkeletonRows } from "@/components/ui/skeleton";
import { ApprovalFacts } from "./approval-facts";
import { ApprovalStatusMark } from "./approval-status";
import { Countdown } from "./countdown";
import { DecisionBar } from "./decision-bar";
import { GateReachPanel } from "./gate-reach";
import { GATE_REASON_TEXT } from "./gate-reasons";
import { sealView } from "./sealed-view";
import { ReviewDesk } from "./review/review-desk";
import type { ApprovalDetails } from "./types";
import { useDecision } from "./use-decision";
import { ViewLines } from "./view-lines";

/** What others decide, and what becomes stale, is seen after at most this. */
const REFRESH_MS = 3_000;

const Superseded = ({ details }: { readonly details: ApprovalDetails }) => {
  if (details.gate.is_stale) {
    return (
      <Callout kind="tainted" title="Something this is based on has changed" alert>
        A decision about it would be refused; the run asks again with what stands now.
      </Callout>
    );
  }
  if (details.superseded_by === null) return null;

  return (
    <Callout kind="waiting" title="Another proposal of this run waits now" alert>
      <Link href={`/approvals/${details.superseded_by}`} className="font-medium underline underline-offset-2">
        Look at it
      </Link>
    </Callout>
  );
};

/** At a case nothing is called: what is asked for is a verdict. */
const titleOf = ({ approval, view, node_titles: titles }: ApprovalDetails): string =>
  approval.reason === "review" ? `Your verdict: ${titles[view.node] || view.node}` : view.effect;

const Heading = ({ details }: { readonly details: ApprovalDetails }) => {
  const { approval, view } = details;
  const isQuiet = view.authority.startsWith("No authority change");
  const Shield = isQuiet ? ShieldCheck : ShieldAlert;

  return (
    <header className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2 text-xs text-muted">
        <Link href="/approvals" className="hover:text-ink hover:underline">
          Approvals
        </Link>
        / {approval.graphName}
        <ApprovalStatusMark status={approval.status} />
        {approval.status === "open" ? (
          <span>
            expires in <Countdown until={view.expires_at} />
          </span>
        ) : null}
      </p>
      <h1 className="text-xl font-semibold">{titleOf(details)}</h1>
      <p className="flex items-start gap-2 text-base font-medium">
        <Shield aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        {view.authority}
      </p>
      <p className="text-sm text-muted">
        {GATE_REASON_TEXT[approval.reason]}. <span className="text-ink">{view.prompt}</span>
      </p>
    </header>
  );
};

const ApprovalScreen = ({ details }: { readonly details: ApprovalDetails }) => {
  const { view, transition, people } = details;
  const sealed = useMemo(() => sealView(view, transition), [view, transition]);
  const decision = useDecision(details, sealed);

  return (
    <>
      <div className={cn("mx-auto flex w-full flex-1 flex-col gap-4 px-6 py-5", decision.isCase ? "max-w-6xl" : "max-w-4xl")}>
        <Heading details={details} />
        <Superseded details={details} />
        {decision.isCase ? <ReviewDesk details={details} findings={decision.findings} onFindings={decision.setFindings} /> : null}
        <GateReachPanel approvalId={view.approval_id} />
        {decision.isCase ? null : <ViewLines view={view} people={people} />}
        <ApprovalFacts details={details} sealed={sealed} />
      </div>
      <DecisionBar
        details={details}
        decision={decision}
        fault={sealed.isBound ? null : "The transition's bytes do not match its digest: nothing can be decided about it here."}
      />
    </>
  );
};

/** One approval: what would happen, by whose data, and the decision about exactly that. */
export const ApprovalPage = ({ approvalId }: { readonly approvalId: string }) => {
  const trpc = useTRPC();
  const details = useQuery(trpc.approvals.get.queryOptions({ approval_id: approvalId }, { refetchInterval: REFRESH_MS }));
  if (details.isPending) return <SkeletonRows rows={10} />;
  if (details.isError) {
    const { code, message, requestId } = apiError(details.error);

    return code === "not_found" ? (
      <EmptyState
        isPage
        kind="no_match"
        title="There is no such approval"
        action={
          <Link href="/approvals" className={buttonStyle()}>
            All approvals
          </Link>
        }
      />
    ) : (
      <EmptyState
        isPage
        kind="failed"
        title="The approval could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void details.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }

  return <ApprovalScreen details={details.data} />;
};
