"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Panel } from "@/components/ui/panel";
import { Spinner } from "@/components/ui/spinner";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { count } from "@/lib/format";
import { WorkspaceResult } from "./results";
import { useWholeCheck, type WholeCheck } from "./use-whole-check";

const Progress = ({ state }: { readonly state: Extract<WholeCheck, { step: "loading" | "checking" }> }) => (
  <div className="flex flex-col gap-2">
    <output className="flex items-center gap-2 text-sm text-muted">
      <Spinner />
      {state.step === "loading" ? "Loading all records…" : `Checked ${count(state.checked)} of ${count(state.total)} records`}
      {state.step === "checking" && state.perSecond > 0 ? <span className="tabular">{count(state.perSecond)} records/s</span> : null}
    </output>
    {state.step === "checking" ? (
      <progress aria-label="Records checked" className="h-1.5 w-full accent-accent" value={state.checked} max={Math.max(1, state.total)} />
    ) : null}
  </div>
);

const tookOf = ({ tookMs, records }: Extract<WholeCheck, { step: "done" }>): string =>
  `${(tookMs / 1_000).toFixed(1)} s, ${count(Math.round((records * 1_000) / Math.max(1, tookMs)))} records/s`;

type Props = {
  readonly keys: PublicKeys;
  /** From the trust anchor, not the server. */
  readonly handovers: readonly SignedHandover[];
  readonly ownLedger: string;
  readonly remembered: () => Promise<SignedCheckpoint | null>;
  readonly onClean: (newest: SignedCheckpoint) => Promise<void>;
};

export const VerifyPanel = ({ keys, handovers, ownLedger, remembered, onClean }: Props) => {
  const { state, start, cancel } = useWholeCheck({ keys, handovers, remembered, onClean });
  const isBusy = state.step === "loading" || state.step === "checking";

  return (
    <Panel
      title="Verify the whole workspace"
      actions={
        isBusy ? (
          <Button size="sm" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <Button size="sm" onClick={start}>
            Verify in this browser
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3 p-3">
        {state.step === "idle" ? (
          <p className="text-sm text-muted">
            Recomputes every digest, link and signature of every run in this browser, and checks every checkpoint and the log against the
            records. The server only supplies the records, which contain no values.
          </p>
        ) : null}
        {state.step === "loading" || state.step === "checking" ? <Progress state={state} /> : null}
        {state.step === "failed" ? (
          <Callout kind="refused" title="Verification could not be completed" alert>
            <p>{state.message}</p>
          </Callout>
        ) : null}
        {state.step === "done" ? <WorkspaceResult result={state.result} ownLedger={ownLedger} took={tookOf(state)} /> : null}
      </div>
    </Panel>
  );
};
