"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/trpc";
import { buttonStyle } from "@/components/ui/button-style";
import { DigestChip } from "@/components/ui/digest-chip";
import { Panel } from "@/components/ui/panel";
import { count } from "@/lib/format";

export const OfflinePanel = () => {
  const verifier = useQuery(useTRPC().ledger.verifier.queryOptions());

  return (
    <Panel title="Verify without this server">
      <div className="flex flex-col gap-3 p-3 text-sm">
        <p className="text-muted">
          A single HTML file that works offline, blocks all network access and verifies exports of runs and workspaces. If you don&apos;t
          want to trust this page, build the same file from source or use countersign verify.
        </p>
        {verifier.data ? (
          <div className="flex flex-wrap items-center gap-3">
            {/* The router must not handle downloads. */}
            <a href="/api/ledger/verifier" download className={buttonStyle({ size: "sm" })}>
              Download verifier
            </a>
            <span className="flex items-center gap-1.5 text-muted">
              SHA-256 <DigestChip digest={verifier.data.digest} label="digest of the verifier" />
            </span>
            <span className="tabular text-muted">{count(Math.ceil(verifier.data.bytes / 1_024))} KiB</span>
          </div>
        ) : verifier.isPending ? null : (
          <p>Not built on this server. Build it with countersign verifier --out FILE.</p>
        )}
      </div>
    </Panel>
  );
};
