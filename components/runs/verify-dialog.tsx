"use client";

import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { DigestChip } from "@/components/ui/digest-chip";
import { NotProved } from "@/components/proof/not-proved";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { count } from "@/lib/format";
import { FAULT_TEXT } from "@/lib/engine/verify/fault-text";
import { NOT_PROVED } from "@/lib/engine/verify/verify";
import { AnchorCallout } from "@/components/proof/memory/anchor-callout";
import { Forget } from "@/components/proof/memory/memory-callout";
import { forgetRun } from "@/components/proof/memory/store";
import type { RunResult } from "@/components/proof/worker/messages";
import { RelativeTime } from "@/components/ui/relative-time";
import type { RememberedHead } from "@/lib/engine/ledger/remembered";
import { useVerification, type VerificationState } from "./use-verification";

type ResultProps = { readonly result: RunResult; readonly kids: readonly string[]; readonly onJump: (seq: number) => void };

const Result = ({ result, kids, onJump }: ResultProps) =>
  result.ok ? (
    <Callout kind="clean" title="Ledger verified" alert>
      <p>Every digest, link, signature, receipt and shown value was recomputed in this browser.</p>
      <dl className="mt-2 grid grid-cols-[11rem_1fr] gap-y-1 text-sm">
        <dt className="text-muted">Records</dt>
        <dd className="tabular">{count(result.records)}</dd>
        <dt className="text-muted">Values opened</dt>
        <dd className="tabular">{count(result.cellsOpened)}</dd>
        <dt className="text-muted">Values hidden from you</dt>
        <dd className="tabular">{count(result.cellsHidden)}</dd>
        {result.cellsShredded === 0 ? null : (
          <>
            <dt className="text-muted">Values shredded</dt>
            <dd className="tabular">{count(result.cellsShredded)}, each by a signed record</dd>
          </>
        )}
        <dt className="text-muted">Head</dt>
        <dd>
          <DigestChip digest={result.head} label="head digest" />
        </dd>
        <dt className="text-muted">Signed by</dt>
        <dd className="font-mono text-xs leading-5">{kids.join(", ")}</dd>
      </dl>
    </Callout>
  ) : (
    <Callout kind="refused" title={`Record ${result.seq} is invalid: ${result.reason}`} alert>
      <p>{FAULT_TEXT[result.reason]} Don&apos;t rely on anything after it.</p>
      <Button size="sm" className="mt-2" onClick={() => onJump(result.seq)}>
        Go to record {result.seq}
      </Button>
    </Callout>
  );

/** Last verified head, which the run must extend. */
const Remembered = ({ runId, head, result }: { readonly runId: string; readonly head: RememberedHead; readonly result: RunResult }) => {
  const isBroken = !result.ok && (result.reason === "head_shorter" || result.reason === "head_rewritten");

  return (
    <section className="flex flex-col gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span className="text-muted">
          {isBroken ? "Last verified in this browser:" : "Compared with the last verification in this browser:"}
        </span>
        <span className="tabular">{count(head.version)} records, head</span>
        <DigestChip digest={head.digest} label="remembered head" />
        <RelativeTime at={head.at} />
      </p>
      {isBroken ? (
        <>
          <p>
            Don&apos;t rely on this run until the cause is known. Contact the operator: a restored backup causes this, and so does tampering
            with the database.
          </p>
          <div>
            <Forget what="It is the evidence that records were removed or changed." onForget={() => forgetRun(runId)} />
          </div>
        </>
      ) : null}
    </section>
  );
};

const Progress = ({ state }: { readonly state: Extract<VerificationState, { step: "loading" | "checking" }> }) => (
  <output className="flex items-center gap-2 text-sm text-muted">
    <Spinner />
    {state.step === "loading"
      ? `Loading records: ${count(state.loaded)}`
      : `Checking records: ${count(state.checked)} of ${count(state.total)}`}
  </output>
);

const Body = ({ runId, onJump }: { readonly runId: string; readonly onJump: (seq: number) => void }) => {
  const state = useVerification(runId);
  if (state.step === "failed") {
    return (
      <Callout kind="refused" title="Verification could not be completed" alert>
        <p>{state.message}</p>
        {state.requestId ? <p className="font-mono text-xs">Request {state.requestId}</p> : null}
      </Callout>
    );
  }

  return (
    <div className="flex flex-col gap-3">
      {state.step === "done" ? <AnchorCallout pinned={state.pinned} /> : null}
      {state.step === "done" ? <Result result={state.result} kids={state.kids} onJump={onJump} /> : <Progress state={state} />}
      {state.step === "done" && state.remembered ? <Remembered runId={runId} head={state.remembered} result={state.result} /> : null}
      <NotProved gaps={NOT_PROVED} />
    </div>
  );
};

type Props = {
  readonly runId: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onJump: (seq: number) => void;
};

export const VerifyDialog = ({ runId, open, onOpenChange, onJump }: Props) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title="Verify the ledger"
    description="Runs in this browser and needs only the public keys."
    size="lg"
  >
    {open ? <Body runId={runId} onJump={onJump} /> : null}
  </Dialog>
);
