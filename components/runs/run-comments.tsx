"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { parseAsBoolean, useQueryState } from "nuqs";
import { Comments } from "@/components/comments/comments";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { QueryState } from "@/components/ui/query-state";
import { explainDenial, type Role } from "@/lib/roles";

type Props = { readonly runId: string; readonly role: Role };

const RunCommentList = ({ runId, role }: Props) => {
  const trpc = useTRPC();
  const query = useQuery(trpc.comments.ofRun.queryOptions({ runId }));
  const { mutateAsync } = useMutation(trpc.comments.add.mutationOptions({ onSettled: useRefresh(trpc.comments.ofRun.pathFilter()) }));

  return (
    <QueryState query={query} what="the comments" rows={3}>
      {({ comments, people }) => (
        <Comments
          place={{ runId, approvalId: null }}
          comments={comments}
          people={people}
          blocked={explainDenial(role, "approval.comment")}
          hint="Recorded in the run's ledger under your name. It changes nothing in the run. Type @ to mention a person."
          send={(written) => mutateAsync({ runId, ...written })}
        />
      )}
    </QueryState>
  );
};

export const RunComments = ({ runId, role }: Props) => {
  const [isOpen, setOpen] = useQueryState("comments", parseAsBoolean.withDefault(false));

  return (
    <>
      <Button size="sm" onClick={() => void setOpen(true)}>
        Comments
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={(next) => void setOpen(next ? true : null)}
        size="lg"
        title="Comments"
        description="About this run."
      >
        {isOpen ? <RunCommentList runId={runId} role={role} /> : null}
      </Dialog>
    </>
  );
};
