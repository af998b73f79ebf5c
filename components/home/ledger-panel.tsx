"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { DigestChip } from "@/components/ui/digest-chip";
import { EmptyState } from "@/components/ui/empty-state";
import { Panel } from "@/components/ui/panel";
import { QueryState } from "./query-state";

/** Whose signatures the ledgers carry. */
export const LedgerPanel = () => {
  const query = useQuery(useTRPC().session.ledgerKeys.queryOptions());

  return (
    <Panel title="Ledger">
      <QueryState query={query} rows={2}>
        {(keys) =>
          Object.keys(keys).length === 0 ? (
            <EmptyState kind="nothing_yet" title="No key has signed yet" className="py-8">
              The runner makes its key known when it starts.
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-3 p-3">
              <dl className="flex flex-col gap-3">
                {Object.entries(keys).map(([kid, publicKey]) => (
                  <div key={kid} className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1">
                    <dt className="text-muted">Key id</dt>
                    <dd>
                      <DigestChip digest={kid} label="key id" />
                    </dd>
                    <dt className="text-muted">Public key, Ed25519</dt>
                    <dd>
                      <DigestChip digest={publicKey} label="public key" />
                    </dd>
                  </div>
                ))}
              </dl>
              <p className="text-xs text-muted">
                Every record is chained to the one before and signed by the runner, which alone holds the private key. Note the public key
                somewhere else: with it anybody can verify an exported ledger.
              </p>
            </div>
          )
        }
      </QueryState>
    </Panel>
  );
};
