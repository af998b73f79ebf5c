"use client";

import { useEffect, useRef, useState, type RefObject } from "react";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { SignedHandover } from "@/lib/engine/ledger/handover";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";
import { openLedgerWorker, type LedgerWorker } from "@/components/proof/worker/open-worker";

export const RECORDS_URL = "/api/ledger/records";

export type WholeCheck =
  | { readonly step: "idle" }
  | { readonly step: "loading" }
  | { readonly step: "checking"; readonly checked: number; readonly total: number; readonly perSecond: number }
  | { readonly step: "done"; readonly result: WorkspaceExportVerification; readonly tookMs: number; readonly records: number }
  | { readonly step: "failed"; readonly message: string };

type Options = {
  readonly keys: PublicKeys;
  readonly handovers: readonly SignedHandover[];
  /** Read late: the page may not have loaded it yet. */
  readonly remembered: () => Promise<SignedCheckpoint | null>;
  readonly onClean: (newest: SignedCheckpoint) => Promise<void>;
};

const perSecond = (checked: number, sinceMs: number): number => Math.round((checked * 1_000) / Math.max(1, performance.now() - sinceMs));

const stop = (worker: RefObject<LedgerWorker | null>): void => {
  worker.current?.close();
  worker.current = null;
};

/** Verifies the workspace in a worker until cancelled or unmounted. */
export const useWholeCheck = ({ keys, handovers, remembered, onClean }: Options) => {
  const [state, setState] = useState<WholeCheck>({ step: "idle" });
  const worker = useRef<LedgerWorker | null>(null);

  // Closes the worker on unmount.
  useEffect(() => () => stop(worker), []);

  const run = async (own: LedgerWorker): Promise<void> => {
    setState({ step: "loading" });
    const known = await remembered();
    // Workers resolve relative URLs differently.
    const loaded = await own.ask({ type: "load", subject: { type: "workspace", url: new URL(RECORDS_URL, window.location.href).href } });
    if (loaded.type !== "loaded") return;
    const { records: total } = loaded.loaded;
    const since = performance.now();
    setState({ step: "checking", checked: 0, total, perSecond: 0 });
    const answer = await own.ask({ type: "verify", keys, handovers, kept: known ? [known] : [], remembered: null }, (checked) =>
      setState({ step: "checking", checked, total, perSecond: perSecond(checked, since) }),
    );
    if (answer.type !== "workspace_result") return;
    const tookMs = performance.now() - since;
    if (answer.result.ok && answer.result.newest) await onClean(answer.result.newest);
    setState({ step: "done", result: answer.result, tookMs, records: total });
  };

  return {
    state,
    start: () => {
      stop(worker);
      const own = openLedgerWorker();
      worker.current = own;
      run(own)
        .catch((error: unknown) => {
          if (worker.current === own) setState({ step: "failed", message: error instanceof Error ? error.message : String(error) });
        })
        .finally(() => own.close());
    },
    cancel: () => {
      stop(worker);
      setState({ step: "idle" });
    },
  };
};
