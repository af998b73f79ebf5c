"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { GraphsLink } from "@/components/canvas/graphs-link";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Callout } from "@/components/ui/callout";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Attempts, Progress } from "./progress";
import { ProposalView } from "./proposal-view";
import type { Job } from "./types";

const POLL_MS = 700;

const isUnderWay = (job: Job | undefined): boolean => job?.status === "queued" || job?.status === "working";

const Ended = ({ job }: { readonly job: Job }) => (
  <div className="mx-auto flex w-full max-w-2xl flex-col gap-3 p-4">
    <Callout
      kind={job.status === "cancelled" ? "waiting" : "refused"}
      alert
      title={job.status === "cancelled" ? "The architect was stopped" : "No graph was proposed"}
    >
      {job.status === "cancelled" ? "No graph was proposed." : (job.reason ?? "The proposal is no longer available.")}
    </Callout>
    {job.tried.length > 0 ? (
      <Panel title="Attempts" bodyClassName="p-3">
        <Attempts job={job} />
      </Panel>
    ) : null}
    <p>
      <Link href={job.graphId === null ? "/graphs" : `/graphs/${job.graphId}`} className={buttonStyle({})}>
        {job.graphId === null ? "Back to graphs" : "Back to graph"}
      </Link>
    </p>
  </div>
);

export const JobPage = ({ id }: { readonly id: string }) => {
  const trpc = useTRPC();
  const job = useQuery(
    trpc.architect.job.queryOptions({ id }, { refetchInterval: (query) => (isUnderWay(query.state.data) ? POLL_MS : false) }),
  );
  if (job.error) {
    const { code, message, requestId } = toApiError(job.error);
    const kind = code === "not_found" ? "no_match" : code === "forbidden" ? "not_permitted" : "failed";

    return (
      <>
        <PageHeader above={<GraphsLink />} title="Architect" />
        <EmptyState
          kind={kind}
          title={kind === "failed" ? "Could not load the proposal" : "Proposal not found"}
          requestId={kind === "failed" ? requestId : null}
          action={kind === "failed" ? <Button onClick={() => void job.refetch()}>Try again</Button> : null}
        >
          {kind === "failed" ? message : "Proposals are only visible to the person who asked for them."}
        </EmptyState>
      </>
    );
  }
  if (!job.data) return <SkeletonRows />;
  if (job.data.proposal) return <ProposalView job={job.data} proposal={job.data.proposal} />;

  return (
    <>
      <PageHeader above={<GraphsLink />} title="Architect" description={job.data.description} />
      {isUnderWay(job.data) ? <Progress job={job.data} /> : <Ended job={job.data} />}
    </>
  );
};
