"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ProblemsPanel } from "@/components/canvas/panels/problems-panel";
import { useCanvas, useSaver } from "@/components/canvas/state/canvas-context";
import { apiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import type { Problem } from "@/lib/graph/problems/problem";

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly problems: readonly Problem[];
  readonly onJump: (problem: Problem) => void;
};

const PublishBody = ({ onClose, problems, onJump }: Omit<Props, "open">) => {
  const id = useCanvas((state) => state.graphId);
  const saver = useSaver();
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const publish = useMutation({
    mutationFn: async () => {
      const revision = await saver.saveNow();
      if (revision === null) return null;

      return client.graphs.publish.mutate({ id, revision });
    },
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: trpc.graphs.versions.queryKey({ id }) });
      void queryClient.invalidateQueries({ queryKey: trpc.graphs.list.queryKey() });
    },
  });
  const answer = publish.data;
  const found: readonly Problem[] = answer?.status === "invalid_graph" ? answer.problems : problems;
  const errors = found.filter((problem) => problem.severity === "error");
  const warnings = found.length - errors.length;
  const jump = (problem: Problem) => {
    onClose();
    onJump(problem);
  };

  return (
    <div className="flex flex-col gap-3">
      {publish.isError ? <Callout kind="refused" alert title={apiError(publish.error).message} /> : null}
      {answer === null ? <Callout kind="refused" alert title="The draft could not be saved, so nothing was published." /> : null}
      {answer?.status === "published" ? (
        <Callout kind="clean" alert title={`Published as version ${answer.version.number}`}>
          <span className="inline-flex items-center gap-2">
            Its name is <DigestChip digest={answer.version.hash} label="version" />
          </span>
        </Callout>
      ) : errors.length > 0 ? (
        <>
          <Callout kind="refused" title={`${errors.length} ${errors.length === 1 ? "error blocks" : "errors block"} publishing`} />
          <ProblemsPanel problems={errors} current={null} onJump={jump} />
        </>
      ) : (
        <p className="text-sm">
          The draft is frozen with the agents and pinned tools it uses. A version never changes, and a run executes one version for its
          whole life.
          {warnings > 0 ? ` Warnings do not block: there ${warnings === 1 ? "is one" : `are ${warnings}`}.` : ""}
        </p>
      )}
      <div className="flex justify-end gap-2 border-t pt-3">
        <Button onClick={onClose}>{answer?.status === "published" ? "Close" : "Cancel"}</Button>
        {answer?.status === "published" ? null : (
          <Button
            variant="primary"
            disabledReason={errors.length > 0 ? "Solve the errors first" : null}
            pending={publish.isPending ? "Publishing…" : null}
            onClick={() => publish.mutate()}
          >
            Publish
          </Button>
        )}
      </div>
    </div>
  );
};

/** Freezes the draft as a version, or says what is in the way. */
export const PublishDialog = ({ open, onClose, problems, onJump }: Props) => (
  <Dialog open={open} onOpenChange={(next) => (next ? undefined : onClose())} title="Publish a version" size="lg">
    <PublishBody onClose={onClose} problems={problems} onJump={onJump} />
  </Dialog>
);
