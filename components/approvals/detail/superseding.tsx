"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { ApprovalDetails } from "@/components/approvals/types";
import { InterdiffLines } from "./interdiff";

const link = "font-medium text-accent underline underline-offset-2";

export const Superseded = ({ details }: { readonly details: ApprovalDetails }) => {
  const { supersedes, view, people } = details;
  if (supersedes === null) return null;

  return (
    <Panel
      title="Changes since the previous request"
      actions={
        <Link href={`/approvals/${supersedes.approvalId}`} className={`${link} text-xs`}>
          Previous request
        </Link>
      }
    >
      <InterdiffLines before={supersedes.view} after={view} people={people} />
    </Panel>
  );
};

const Newer = ({ approvalId, details }: { readonly approvalId: string; readonly details: ApprovalDetails }) => {
  const newer = useQuery(useTRPC().approvals.get.queryOptions({ approvalId }));
  if (newer.isPending) return <SkeletonRows rows={4} />;
  if (newer.isError) {
    const { message, requestId } = toApiError(newer.error);

    return (
      <EmptyState
        kind="failed"
        title="The new request could not be loaded"
        requestId={requestId}
        action={<Button onClick={() => void newer.refetch()}>Try again</Button>}
      >
        {message}
      </EmptyState>
    );
  }

  return <InterdiffLines before={details.view} after={newer.data.view} people={{ ...details.people, ...newer.data.people }} />;
};

const REPLACED: readonly ApprovalDetails["approval"]["status"][] = ["void", "changes_requested", "superseded"];

export const WhatChanged = ({ details }: { readonly details: ApprovalDetails }) => {
  const { supersededBy: newer, approval } = details;
  if (newer === null || !REPLACED.includes(approval.status)) return null;

  return (
    <Dialog
      size="lg"
      title="Changes in the new request"
      description="Both sides are redacted for your role."
      trigger={<Button size="sm">View changes</Button>}
      footer={
        <Link href={`/approvals/${newer}`} className={link}>
          Go to the new request
        </Link>
      }
    >
      <Newer approvalId={newer} details={details} />
    </Dialog>
  );
};
