"use client";

import { useEffect, useState } from "react";
import { rememberVerified } from "@/components/home/verified-runs";
import { apiError } from "@/components/trpc/api-error";
import { useTRPCClient } from "@/components/trpc/trpc";
import type { LedgerExport, Verification } from "@/lib/engine/verify";
import { verifyInWorker } from "./verify-in-worker";
import type { VerifyRequest } from "./verify-messages";

export type VerificationState =
  | { readonly step: "loading"; readonly loaded: number }
  | { readonly step: "checking"; readonly checked: number; readonly total: number }
  | { readonly step: "done"; readonly result: Verification; readonly kids: readonly string[] }
  | { readonly step: "failed"; readonly message: string; readonly requestId: string | null };

type Client = ReturnType<typeof useTRPCClient>;

/** The whole ledger as stored now, afresh: what is on screen may be older than what is to be checked. */
const loadAll = async (client: Client, runId: string, onLoaded: (count: number) => void, signal: AbortSignal): Promise<VerifyRequest> => {
  const records: LedgerExport["records"][number][] = [];
  const cells: LedgerExport["cells"][number][] = [];
  const shreds: LedgerExport["records"][number][] = [];
  const passkeys: LedgerExport["records"][number][] = [];
  for (;;) {
    const page = await client.runs.records.query({ run_id: runId, after_seq: records.at(-1)?.seq ?? -1, limit: 1_000 }, { signal });
    records.push(...page.records);
    cells.push(...page.cells);
    shreds.push(...page.shreds);
    passkeys.push(...page.passkeys);
    onLoaded(records.length);
    if (!page.more) {
      return { ledger: { workspace: page.workspace, run: runId, records, cells, head: page.head, shreds, passkeys }, keys: page.keys };
    }
  }
};

/** Loads the ledger and verifies it in this browser, as long as the component is mounted. */
export const useVerification = (runId: string): VerificationState => {
  const client = useTRPCClient();
  const [state, setState] = useState<VerificationState>({ step: "loading", loaded: 0 });

  // The worker is outside of React: it is started here and stopped when nobody looks any more.
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: VerificationState) => {
      if (!signal.aborted) setState(next);
    };
    const run = async () => {
      try {
        const request = await loadAll(client, runId, (loaded) => show({ step: "loading", loaded }), signal);
        const total = request.ledger.records.length;
        show({ step: "checking", checked: 0, total });
        const result = await verifyInWorker(request, (checked) => show({ step: "checking", checked, total }), signal);
        if (result.ok) rememberVerified(runId);
        show({ step: "done", result, kids: [...new Set(request.ledger.records.map((record) => record.kid))] });
      } catch (error) {
        const { message, requestId } = apiError(error);
        show({ step: "failed", message: requestId ? message : "The check could not be carried out in this browser.", requestId });
      }
    };
    void run();

    return () => controller.abort();
  }, [client, runId]);

  return state;
};
