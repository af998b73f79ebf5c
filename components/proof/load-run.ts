"use client";

import { pinAnchor, type PinnedAnchor } from "@/components/proof/memory/anchor-pin";
import type { useTRPCClient } from "@/components/trpc/trpc";
import { getKeys } from "@/lib/engine/ledger/trust-anchor";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import type { LedgerExport } from "@/lib/engine/verify/verify";

type Client = ReturnType<typeof useTRPCClient>;
type Records = LedgerExport["records"][number][];

/** Keys of the pinned anchor, not the server. */
type LoadedRun = { readonly ledger: LedgerExport; readonly keys: PublicKeys; readonly pinned: PinnedAnchor };

/** Reloads the whole ledger; the page may be outdated. */
export const loadRun = async (
  client: Client,
  runId: string,
  onLoaded: (count: number) => void,
  signal: AbortSignal,
): Promise<LoadedRun> => {
  const [records, shreds, passkeys]: [Records, Records, Records] = [[], [], []];
  const cells: LedgerExport["cells"][number][] = [];
  for (;;) {
    const page = await client.runs.records.query({ runId, afterSeq: records.at(-1)?.seq ?? -1, limit: 1_000 }, { signal });
    records.push(...page.records);
    cells.push(...page.cells);
    shreds.push(...page.shreds);
    passkeys.push(...page.passkeys);
    onLoaded(records.length);
    if (page.more) continue;
    const { workspace, head } = page;
    const pinned = await pinAnchor(workspace, page.anchor);
    const { handovers = [] } = pinned.trusted ?? {};
    const ledger = { workspace, run: runId, records, cells, head, shreds, passkeys, handovers };

    return { ledger, keys: pinned.trusted ? getKeys(pinned.trusted) : {}, pinned };
  }
};
