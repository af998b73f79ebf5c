import type { Outputs } from "@/components/trpc/outputs";
import type { Handover } from "@/lib/engine/ledger/handover";
import type { TrustAnchor } from "@/lib/engine/ledger/trust-anchor";

export type LedgerOverview = Outputs["ledger"]["overview"];

/** `handover` is null for the active key. */
export type LedgerKey = {
  readonly kid: string;
  readonly publicKey: string;
  /** ms since 1970 */
  readonly knownSince: number;
  readonly handover: Handover | null;
};

/** Oldest first. */
export const listLedgerKeys = (anchor: TrustAnchor | null): readonly LedgerKey[] =>
  anchor?.keys.map(({ kid, public_key: publicKey, since }, index) => ({
    kid,
    publicKey,
    knownSince: since,
    handover: anchor.handovers[index]?.statement ?? null,
  })) ?? [];
