"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OpenRequest } from "@/components/canvas/architect/open-request";
import { PublishReview } from "@/components/canvas/architect/publish-review";
import { useOldPage } from "@/components/canvas/old-page";
import { ProblemsPanel } from "@/components/canvas/panels/problems-panel";
import { useCanvas, useDocument, useSaver } from "@/components/canvas/state/canvas-context";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Problem } from "@/lib/graph/problems/problem";
import { explainDenial, type Role } from "@/lib/roles";

type Props = {
  readonly role: Role;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly problems: readonly Problem[];
  readonly onJump: (problem: Problem) => void;
};

/** Null if the draft could not be saved. */
const usePublishPreview = (isReady: boolean) => {
  const id = useCanvas((state) => state.graphId);
  const document = useDocument();
  const saver = useSaver();
  const client = useTRPCClient();

  return useQuery({
    queryKey: ["publish preview", id, document],
    enabled: isReady,
    gcTime: 0,
    queryFn: async () => {
      const revision = await saver.saveNow();

      return revision === null ? null : { revision, ...(await client.graphs.publishPreview.query({ id, revision })) };
    },
  });
};

const PublishBody = ({ role, onClose, problems, onJump }: Omit<Props, "open">) => {
  const id = useCanvas((state) => state.graphId);
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [decided, setDecided] = useState<string | null>(null);
  const errors = problems.filter((problem) => problem.severity === "error");
  const preview = usePublishPreview(errors.length === 0);
  const requests = useQuery(trpc.graphs.publishRequestList.queryOptions({ graph: id }));
  const open = requests.data?.find(({ status }) => status === "open");
  const found = preview.data ?? null;
  const publish = useMutation({
    mutationFn: async () => {
      if (!found) return null;
      const draft = { id, revision: found.revision, hash: found.hash };
      if (!found.secondPerson.needed) return client.graphs.publish.mutate(draft);

      return client.graphs.publishRequestCreate.mutate(draft);
    },
    onSuccess: (outcome) => {
      void queryClient.invalidateQueries({ queryKey: trpc.graphs.pathKey() });
      // The latest version changed.
      if (outcome?.status === "needs_second_person") void preview.refetch();
    },
  });
  const answer = publish.data;
  const wrong = answer?.status === "invalid_graph" ? answer.problems.filter(({ severity }) => severity === "error") : errors;
  const warnings = (found?.problems ?? problems).length;
  const isPublished = answer?.status === "published" || decided !== null;
  const failure = publish.error ?? preview.error;
  const jump = (problem: Problem) => {
    onClose();
    onJump(problem);
  };
  const asksSecond = found?.secondPerson.needed === true;
  const sameAs = found?.sameAs ?? null;
  const oldPage = useOldPage();
  const cannotPublish =
    explainDenial(role, "graph.publish") ??
    oldPage ??
    (wrong.length > 0 ? "Fix the errors first" : sameAs === null ? null : `No changes since version ${sameAs}`);

  return (
    <div className="flex flex-col gap-3">
      {failure ? <Callout kind="refused" alert title={toApiError(failure).message} /> : null}
      {preview.data === null ? (
        <Callout kind="refused" alert title="The draft could not be saved, so it can't be published. Save it, then try again." />
      ) : null}
      {decided === null ? null : <Callout kind="clean" alert title={decided} />}
      {answer?.status === "published" ? (
        <Callout kind="clean" alert title={`Published as version ${answer.version.number}`}>
          <span className="inline-flex items-center gap-2">
            Digest: <DigestChip digest={answer.version.hash} label="version" />
          </span>
        </Callout>
      ) : wrong.length > 0 ? (
        <>
          <Callout kind="refused" title={`${wrong.length} ${wrong.length === 1 ? "error blocks" : "errors block"} publishing`} />
          <ProblemsPanel problems={wrong} current={null} onJump={jump} />
        </>
      ) : found && decided === null ? (
        <>
          <PublishReview preview={found} />
          <p className="text-sm text-muted">
            Publishing freezes the draft with the agents and pinned tools it uses. Versions never change, and a run uses the same version
            throughout.{warnings > 0 ? ` ${warnings === 1 ? "1 warning does" : `${warnings} warnings do`} not block publishing.` : ""}
          </p>
        </>
      ) : decided === null && preview.isFetching ? (
        <SkeletonRows rows={4} />
      ) : null}
      {open && !isPublished ? <OpenRequest request={open} hash={found?.hash ?? null} role={role} onDecided={setDecided} /> : null}
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onClose}>{isPublished ? "Close" : "Cancel"}</Button>
        {isPublished || (open && open.hash === found?.hash) ? null : (
          <Button
            variant="primary"
            disabledReason={cannotPublish ?? (found === null ? "Checking the draft" : null)}
            pending={publish.isPending ? "Publishing…" : null}
            onClick={() => publish.mutate()}
          >
            {asksSecond ? "Ask a second person" : "Publish"}
          </Button>
        )}
      </div>
    </div>
  );
};

export const PublishDialog = ({ open, onClose, ...body }: Props) => (
  <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())} title="Publish a version" size="lg">
    <PublishBody onClose={onClose} {...body} />
  </Dialog>
);
