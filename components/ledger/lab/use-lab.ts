"use client";

import { useEffect, useRef, useState, type RefObject } from "react";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import type { RememberedHead } from "@/lib/engine/ledger/remembered";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { TamperKind } from "@/lib/engine/verify/tamper";
import type { WorkspaceExportVerification } from "@/lib/engine/verify/verify-workspace-export";
import type { Change, RunResult, Subject } from "@/components/proof/worker/messages";
import { openLedgerWorker, type LedgerWorker } from "@/components/proof/worker/open-worker";

/** Copy with its head from before tampering. */
export type Copy = {
  readonly subject: Subject;
  readonly keys: PublicKeys;
  readonly remembered: RememberedHead | null;
};

export type LabResult =
  | { readonly type: "run"; readonly result: RunResult }
  | { readonly type: "workspace"; readonly result: WorkspaceExportVerification };

export type Lab = {
  readonly step: "empty" | "loading" | "ready" | "verifying";
  readonly records: number;
  readonly kind: TamperKind | null;
  /** Null: none yet, or too few records. */
  readonly change: Change | null;
  readonly result: LabResult | null;
  readonly error: string | null;
};

const EMPTY: Lab = { step: "empty", records: 0, kind: null, change: null, result: null, error: null };

type Loaded = { readonly worker: LedgerWorker; readonly keys: PublicKeys; readonly kept: readonly SignedCheckpoint[]; readonly copy: Copy };

const closeCopy = (held: RefObject<Loaded | null>): void => {
  held.current?.worker.close();
  held.current = null;
};

/** Tamper lab; its copy lives in a worker until unmount. */
export const useLab = () => {
  const [lab, setLab] = useState<Lab>(EMPTY);
  const loaded = useRef<Loaded | null>(null);
  // Closes the worker on unmount.
  useEffect(() => () => closeCopy(loaded), []);
  const failed = (error: unknown) =>
    setLab((now) => ({ ...now, step: loaded.current ? "ready" : "empty", error: error instanceof Error ? error.message : String(error) }));

  const take = async (makeCopy: () => Promise<Copy>): Promise<void> => {
    closeCopy(loaded);
    setLab({ ...EMPTY, step: "loading" });
    const copy = await makeCopy();
    const worker = openLedgerWorker();
    const answer = await worker.ask({ type: "load", subject: copy.subject });
    if (answer.type !== "loaded") return worker.close();
    const { records, newest, keys } = answer.loaded;
    loaded.current = { worker, copy, keys: { ...keys, ...copy.keys }, kept: newest ? [newest] : [] };
    setLab({ ...EMPTY, step: "ready", records });
  };
  const tamper = async (kind: TamperKind): Promise<void> => {
    const answer = await loaded.current?.worker.ask({ type: "tamper", kind });
    if (answer?.type === "tampered") setLab((now) => ({ ...now, kind, change: answer.change, result: null, error: null }));
  };
  const verify = async (): Promise<void> => {
    if (!loaded.current) return;
    const { worker, keys, kept, copy } = loaded.current;
    setLab((now) => ({ ...now, step: "verifying", result: null, error: null }));
    const answer = await worker.ask({ type: "verify", keys, kept, remembered: copy.remembered });
    const result: LabResult | null =
      answer.type === "run_result"
        ? { type: "run", result: answer.result }
        : answer.type === "workspace_result"
          ? { type: "workspace", result: answer.result }
          : null;
    setLab((now) => ({ ...now, step: "ready", result }));
  };

  return {
    lab,
    take: (makeCopy: () => Promise<Copy>): void => void take(makeCopy).catch(failed),
    tamper: (kind: TamperKind): void => void tamper(kind).catch(failed),
    verify: (): void => void verify().catch(failed),
  };
};
