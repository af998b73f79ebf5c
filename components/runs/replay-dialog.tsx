"use client";

import { useQuery } from "@tanstack/react-query";
import { NotProved } from "@/components/proof/not-proved";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { Spinner } from "@/components/ui/spinner";
import { count } from "@/lib/format";
import { BAD_REASON_TEXT } from "@/lib/engine/verify/bad-reasons";

const FAULTS = {
  ...BAD_REASON_TEXT,
  graph: "This record was made by a different version than the run names.",
  state: "Replaying the records gives a different state than the one shown.",
};

const Result = ({ runId, onJump }: { readonly runId: string; readonly onJump: (seq: number) => void }) => {
  const trpc = useTRPC();
  // The ledger may have changed.
  const replay = useQuery(trpc.runs.verifyReplay.queryOptions({ runId }, { gcTime: 0, staleTime: 0, retry: false }));
  if (replay.isPending || replay.isFetching) {
    return (
      <output className="flex items-center gap-2 text-sm text-muted">
        <Spinner />
        The server is recomputing digests and replaying the records…
      </output>
    );
  }
  if (replay.isError) {
    const { message, requestId } = toApiError(replay.error);

    return (
      <Callout kind="refused" title="Replay failed" alert>
        <p>{message}</p>
        {requestId ? <p className="font-mono text-xs">Request {requestId}</p> : null}
      </Callout>
    );
  }
  const { data } = replay;
  if (!data.ok) {
    return (
      <Callout kind="refused" title={`Record ${data.seq} is invalid: ${data.reason}`} alert>
        <p>{FAULTS[data.reason]}</p>
        <Button size="sm" className="mt-2" onClick={() => onJump(data.seq)}>
          Go to record {data.seq}
        </Button>
      </Callout>
    );
  }

  return (
    <div className="flex flex-col gap-3">
      <Callout kind="clean" title="Replay matches the run" alert>
        <p>
          The server checked and replayed {count(data.records)} records and {count(data.cellsOpened)} values. Status, node, tokens, cost and
          refusals match the run. No model was called.
        </p>
        <p className="mt-1">
          Head <DigestChip digest={data.head} label="head digest" />
        </p>
      </Callout>
      <NotProved
        gaps={[
          "that the server is honest: to check it yourself, use Verify, which recomputes everything in this browser",
          ...data.notProved,
        ]}
      />
    </div>
  );
};

type Props = {
  readonly runId: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onJump: (seq: number) => void;
};

export const ReplayDialog = ({ runId, open, onOpenChange, onJump }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Replay"
    description="Recomputes every state on the server without calling a model."
    size="lg"
  >
    {open ? <Result runId={runId} onJump={onJump} /> : null}
  </Dialog>
);
