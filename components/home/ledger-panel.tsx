"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { AnchorCallout } from "@/components/proof/memory/anchor-callout";
import { usePinnedAnchor } from "@/components/proof/memory/use-anchor";
import { useLogMemory, type MemoryState } from "@/components/proof/memory/use-memory";
import type { LedgerOverview } from "@/components/proof/types";
import { useTRPC } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { count } from "@/lib/format";
import { QueryState } from "@/components/ui/query-state";

const Memory = ({ memory }: { readonly memory: MemoryState }) => {
  if (memory.state === "nothing") return <Mark kind="waiting">Not verified in this browser yet</Mark>;
  if (memory.state === "extends") return <Mark kind="clean">Extends what this browser verified</Mark>;

  return (
    <Link href="/ledger" className="hover:underline">
      <Mark kind="refused">Differs from what this browser verified: check the ledger</Mark>
    </Link>
  );
};

const State = ({ overview }: { readonly overview: LedgerOverview }) => {
  const { workspace, newest, counts } = overview;
  const pinned = usePinnedAnchor(workspace, overview.anchor);
  const memory = useLogMemory(workspace, newest, pinned.data ?? null);
  const signs = overview.anchor?.keys.at(-1);
  const counted = newest?.checkpoint.count ?? 0;

  return (
    <div className="flex flex-col gap-3 p-3">
      {pinned.data ? <AnchorCallout pinned={pinned.data} /> : null}
      <div className="flex min-h-6 items-center text-sm text-muted">
        {memory.data ? <Memory memory={memory.data} /> : memory.isError ? "This browser can't store verification results." : "Checking…"}
      </div>
      <dl className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1">
        <dt className="text-muted">Records</dt>
        <dd className="tabular">{count(counts.records)}</dd>
        <dt className="text-muted">Covered by latest checkpoint</dt>
        <dd className="tabular">{count(counted)}</dd>
        <dt className="text-muted">Latest checkpoint</dt>
        <dd className="flex items-center gap-2">
          {newest === null ? (
            "None yet"
          ) : (
            <>
              <DigestChip digest={newest.checkpoint.root} label="root" />
              <RelativeTime at={newest.checkpoint.at} />
            </>
          )}
        </dd>
        {signs ? (
          <>
            <dt className="text-muted">Signing key</dt>
            <dd>
              <DigestChip digest={signs.kid} label="key id" />
            </dd>
          </>
        ) : null}
      </dl>
      <p className="text-xs text-muted">
        Each record is chained to the previous one and signed by the runner, the only process with the private key.{" "}
        <Link href="/ledger" className="underline underline-offset-2">
          Verify, compare keys or tamper with a copy
        </Link>
      </p>
    </div>
  );
};

export const LedgerPanel = () => {
  const query = useQuery(useTRPC().ledger.overview.queryOptions());

  return (
    <Panel title="Ledger">
      <QueryState query={query} rows={2}>
        {(overview) =>
          overview.anchor === null ? (
            <EmptyState kind="nothing_yet" title="No signing keys yet" className="py-8">
              The runner publishes its key when it starts.
            </EmptyState>
          ) : (
            <State overview={overview} />
          )
        }
      </QueryState>
    </Panel>
  );
};
