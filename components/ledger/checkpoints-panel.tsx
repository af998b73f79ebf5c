"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { DataTable, timeColumn, type Column } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "@/components/ui/query-state";
import { Select } from "@/components/ui/select";
import { findCheckpointFault, type SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { goesOn } from "@/lib/engine/ledger/checkpoint-file";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { count } from "@/lib/format";

const COLUMNS: readonly Column<SignedCheckpoint>[] = [
  { name: "Records", numeric: true, cell: ({ checkpoint }) => count(checkpoint.count) },
  {
    name: "Root",
    cell: ({ checkpoint }) => <DigestChip digest={checkpoint.root} label={`root of ${checkpoint.count} records`} />,
  },
  timeColumn("Taken", ({ checkpoint }) => checkpoint.at),
  { name: "Key", className: "font-mono text-xs", cell: ({ kid }) => kid },
];

type Checked = { readonly isGood: boolean; readonly text: string };

/** Checked in the browser; the server only supplies the proof. */
const useConsistency = (keys: PublicKeys) => {
  const client = useTRPCClient();
  const [checked, setChecked] = useState<Checked | null>(null);
  const check = async (one: SignedCheckpoint, other: SignedCheckpoint): Promise<Checked> => {
    const [older, newer] = one.checkpoint.count <= other.checkpoint.count ? [one, other] : [other, one];
    const faults = await Promise.all([findCheckpointFault(older, keys), findCheckpointFault(newer, keys)]);
    if (faults.some((fault) => fault !== null))
      return { isGood: false, text: "One of the checkpoints is not signed by a key of this installation." };
    const [from, to] = [older.checkpoint.count, newer.checkpoint.count];
    const { proof } = from === to ? { proof: [] } : await client.ledger.consistency.query({ from, to });

    return goesOn(older, newer, proof)
      ? {
          isGood: true,
          text: `Consistent: the first ${count(from)} of ${count(to)} records are unchanged. Consistency proof of ${count(proof.length)} ${proof.length === 1 ? "hash" : "hashes"} checked.`,
        }
      : { isGood: false, text: "Not consistent: the log was rewritten between these checkpoints." };
  };

  return {
    checked,
    check: (one: SignedCheckpoint, other: SignedCheckpoint): void => {
      check(one, other).then(setChecked, (error: unknown) => setChecked({ isGood: false, text: toApiError(error).message }));
    },
    clear: () => setChecked(null),
  };
};

const Compare = ({ checkpoints, keys }: { readonly checkpoints: readonly SignedCheckpoint[]; readonly keys: PublicKeys }) => {
  const items = checkpoints.map(({ checkpoint }) => ({ value: String(checkpoint.count), label: `${count(checkpoint.count)} records` }));
  const [chosen, setChosen] = useState<{ from: string | null; to: string | null }>({ from: null, to: null });
  const { checked, check, clear } = useConsistency(keys);
  const from = checkpoints.find(({ checkpoint }) => String(checkpoint.count) === (chosen.from ?? items.at(-1)?.value));
  const to = checkpoints.find(({ checkpoint }) => String(checkpoint.count) === (chosen.to ?? items[0]?.value));
  const choose = (next: Partial<typeof chosen>) => {
    clear();
    setChosen({ ...chosen, ...next });
  };

  return (
    <div className="flex flex-col gap-2 border-t p-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-muted">Check that</span>
        <Select
          aria-label="Newer checkpoint"
          className="w-auto min-w-36"
          items={items}
          value={to ? String(to.checkpoint.count) : null}
          onValueChange={(value) => choose({ to: value })}
        />
        <span className="text-muted">extends</span>
        <Select
          aria-label="Older checkpoint"
          className="w-auto min-w-36"
          items={items}
          value={from ? String(from.checkpoint.count) : null}
          onValueChange={(value) => choose({ from: value })}
        />
        <Button size="sm" disabledReason={from && to ? null : "Choose two checkpoints"} onClick={() => from && to && check(from, to)}>
          Check in this browser
        </Button>
      </div>
      {checked ? <Callout kind={checked.isGood ? "clean" : "refused"} title={checked.text} alert /> : null}
    </div>
  );
};

const NONE = (
  <EmptyState kind="nothing_yet" title="No checkpoints yet" className="py-8">
    Once there are records, the runner takes a checkpoint every minute. You can also take one yourself.
  </EmptyState>
);

export const CheckpointsPanel = ({ keys }: { readonly keys: PublicKeys }) => {
  const list = useInfiniteQuery(
    useTRPC().ledger.checkpoints.infiniteQueryOptions(
      { limit: 25 },
      { getNextPageParam: (page) => page.nextCursor ?? undefined, refetchInterval: 15_000 },
    ),
  );

  return (
    <Panel title="Checkpoints">
      <QueryState query={list} what="checkpoints" rows={5}>
        {({ pages }) => {
          const checkpoints = pages.flatMap((page) => page.checkpoints);
          if (checkpoints.length === 0) return NONE;

          return (
            <>
              <div className="max-h-96 overflow-y-auto">
                <DataTable label="Checkpoints" columns={COLUMNS} rows={checkpoints} rowKey={({ checkpoint }) => checkpoint.count} />
              </div>
              <LoadMore query={list} />
              <Compare checkpoints={checkpoints} keys={keys} />
            </>
          );
        }}
      </QueryState>
    </Panel>
  );
};
