import { DigestChip } from "@/components/ui/digest-chip";
import { Panel } from "@/components/ui/panel";
import { RelativeTime } from "@/components/ui/relative-time";
import { count } from "@/lib/format";
import { MemoryCallout } from "@/components/proof/memory/memory-callout";
import type { MemoryState } from "@/components/proof/memory/use-memory";
import type { LedgerOverview } from "@/components/proof/types";

type Props = {
  readonly overview: LedgerOverview;
  /** Null while loading; undefined without browser storage. */
  readonly memory: MemoryState | null | undefined;
  readonly onForget: () => Promise<void>;
};

export const StatePanel = ({ overview: { counts, newest }, memory, onForget }: Props) => (
  <Panel title="State">
    <div className="flex flex-col gap-3 p-3">
      <dl className="grid grid-cols-[minmax(11rem,auto)_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-muted">Records</dt>
        <dd className="tabular">{count(counts.records)}</dd>
        <dt className="text-muted">Covered by a checkpoint</dt>
        <dd className="tabular">{count(newest?.checkpoint.count ?? 0)}</dd>
        <dt className="text-muted">Not covered yet</dt>
        <dd className="tabular">{count(Math.max(0, counts.records - (newest?.checkpoint.count ?? 0)))}</dd>
        <dt className="text-muted">Latest checkpoint</dt>
        <dd className="flex flex-wrap items-center gap-2">
          {newest === null ? (
            "none yet"
          ) : (
            <>
              <DigestChip digest={newest.checkpoint.root} label="newest root" />
              <RelativeTime at={newest.checkpoint.at} />
              <span className="font-mono text-xs text-muted">{newest.kid}</span>
            </>
          )}
        </dd>
      </dl>
      {memory === undefined ? (
        <p className="text-sm text-muted">
          This browser doesn&apos;t store data, so it can&apos;t compare the ledger with an earlier visit.
        </p>
      ) : memory === null ? null : (
        <MemoryCallout memory={memory} onForget={onForget} />
      )}
    </div>
  </Panel>
);
