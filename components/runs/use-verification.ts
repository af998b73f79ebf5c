"use client";

import { useEffect, useState } from "react";
import { rememberVerified } from "@/components/proof/verified-runs";
import type { PinnedAnchor } from "@/components/proof/memory/anchor-pin";
import { getRememberedRun, rememberRun } from "@/components/proof/memory/store";
import type { RunResult } from "@/components/proof/worker/messages";
import { openLedgerWorker, type LedgerWorker } from "@/components/proof/worker/open-worker";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { RememberedHead } from "@/lib/engine/ledger/remembered";
import { loadRun } from "@/components/proof/load-run";

export type VerificationState =
  | { readonly step: "loading"; readonly loaded: number }
  | { readonly step: "checking"; readonly checked: number; readonly total: number }
  | {
      readonly step: "done";
      readonly result: RunResult;
      readonly kids: readonly string[];
      /** Last verified head, or null. */
      readonly remembered: RememberedHead | null;
      readonly pinned: PinnedAnchor;
    }
  | { readonly step: "failed"; readonly message: string; readonly requestId: string | null };

type Client = ReturnType<typeof useTRPCClient>;
type Show = (state: VerificationState) => void;

/** Verification works without browser storage. */
const remembered = (runId: string): Promise<RememberedHead | null> => getRememberedRun(runId).catch(() => null);

const verify = async (client: Client, runId: string, worker: LedgerWorker, show: Show, signal: AbortSignal): Promise<void> => {
  const before = await remembered(runId);
  const { ledger, keys, pinned } = await loadRun(client, runId, (loaded) => show({ step: "loading", loaded }), signal);
  const total = ledger.records.length;
  show({ step: "checking", checked: 0, total });
  await worker.ask({ type: "load", subject: { type: "run", ledger } });
  const answer = await worker.ask({ type: "verify", keys, kept: [], remembered: before }, (checked) =>
    show({ step: "checking", checked, total }),
  );
  if (answer.type !== "run_result") throw new Error("the verifier said something else");
  const { result } = answer;
  if (result.ok) {
    rememberVerified(runId);
    const { version, digest } = ledger.head;
    if (version > 0) await rememberRun(runId, { version, digest, at: Date.now() }).catch(() => undefined);
  }
  show({ step: "done", result, kids: [...new Set(ledger.records.map((record) => record.kid))], remembered: before, pinned });
};

/** Verifies the ledger against this browser's last head, while mounted. */
export const useVerification = (runId: string): VerificationState => {
  const client = useTRPCClient();
  const [state, setState] = useState<VerificationState>({ step: "loading", loaded: 0 });

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const worker = openLedgerWorker();
    const show: Show = (next) => {
      if (!signal.aborted) setState(next);
    };
    verify(client, runId, worker, show, signal)
      .catch((error: unknown) => {
        const { message, requestId } = toApiError(error);
        show({
          step: "failed",
          message: requestId ? message : "Verification failed to run in this browser. Reload the page and try again.",
          requestId,
        });
      })
      .finally(() => worker.close());

    return () => {
      controller.abort();
      worker.close();
    };
  }, [client, runId]);

  return state;
};
