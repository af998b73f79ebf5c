"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTRPCClient } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { Mark } from "@/components/ui/marks/mark";
import { findSharedPrefix, type SharedPrefix } from "@/lib/engine/ledger/shared-prefix";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import type { RunDetails } from "./types";

const PAGE = 1_000;

type Client = ReturnType<typeof useTRPCClient>;

const loadUntil = async (client: Client, runId: string, end: number, signal: AbortSignal): Promise<StoredRecord[]> => {
  const records: StoredRecord[] = [];
  for (;;) {
    const limit = Math.min(PAGE, end + 1 - records.length);
    const page = await client.runs.records.query({ runId, afterSeq: records.length - 1, limit }, { signal });
    records.push(...page.records);
    if (!page.more || page.records.length === 0 || records.length > end) return records;
  }
};

const Sentence = ({ run, parent, found }: { readonly run: RunDetails["run"]; readonly parent: string; readonly found: SharedPrefix }) => {
  const seq = run.forkSeq ?? 0;
  if (found.identical < seq) {
    return (
      <Mark kind="refused">
        Differs from its parent from record {found.identical}, before the fork at record {seq}. Verify both runs.
      </Mark>
    );
  }

  return (
    <>
      <Mark kind="clean">
        {seq === 0 ? "Shares no records with its parent" : `Identical through record ${seq - 1}, verified by digest in this browser`}
      </Mark>
      {found.digest === null ? null : <DigestChip digest={found.digest} label="digest of the last shared record" />}
      <Link href={`/runs/${run.id}?t=${seq}`} className="hover:text-ink hover:underline">
        Diverges at record {seq}
      </Link>
      <Link href={`/runs/${parent}?compare=${run.id}`} className="text-accent underline underline-offset-2">
        Compare with parent
      </Link>
    </>
  );
};

type Props = { readonly run: RunDetails["run"]; readonly parent: string };

/** Proves that a fork extends its parent by recomputing shared digests. */
export const PrefixProof = ({ run, parent }: Props) => {
  const client = useTRPCClient();
  const end = run.forkSeq ?? 0;
  const proof = useQuery({
    queryKey: ["shared-prefix", parent, run.id, end],
    queryFn: async ({ signal }) =>
      findSharedPrefix(await loadUntil(client, parent, end, signal), await loadUntil(client, run.id, end, signal)),
    staleTime: Infinity,
  });

  return (
    <p className="flex min-h-5 w-full flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted" aria-live="polite">
      {proof.data ? (
        <Sentence run={run} parent={parent} found={proof.data} />
      ) : proof.isError ? (
        "The records shared with the parent could not be checked. Reload the page to try again."
      ) : (
        "Comparing digests with the parent…"
      )}
    </p>
  );
};
