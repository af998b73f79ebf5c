"use client";

import { useMutation } from "@tanstack/react-query";
import { Comments } from "@/components/comments/comments";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Panel } from "@/components/ui/panel";
import type { ApprovalDetails } from "@/components/approvals/types";

/** The page is rendered after the browser looked for the anchor. */
const showIfLinked = (element: HTMLElement | null): void => {
  if (element && globalThis.location.hash === "#comments") element.scrollIntoView();
};

type Props = { readonly details: ApprovalDetails; readonly blocked: string | null };

export const ApprovalComments = ({ details: { comments, people, run, approval }, blocked }: Props) => {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.approvals.comment.mutationOptions({ onSettled: useRefresh(trpc.approvals.pathFilter()) }));

  return (
    <div id="comments" ref={showIfLinked}>
      <Panel title="Comments" actions={<span className="tabular text-xs text-muted">{comments.length}</span>}>
        <Comments
          place={{ runId: run.id, approvalId: approval.id }}
          comments={comments}
          people={people}
          blocked={blocked}
          hint="Recorded in the run's ledger under your name. It doesn't affect the decision. Type @ to mention a person."
          shortcut="m"
          send={(written) => mutateAsync({ approvalId: approval.id, ...written })}
        />
      </Panel>
    </div>
  );
};
