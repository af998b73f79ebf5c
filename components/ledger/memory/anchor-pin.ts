"use client";

/** The trust anchor that this browser has seen: what the server offers later must go on from it. */
import { explainChange, verifyAnchor, type AnchorChange, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { rememberAnchor, rememberedAnchor } from "./store";

/** `first`: nothing was pinned. `none`: the server has no anchor, and nothing was pinned. `invalid`: it offers one that does not verify. */
export type PinnedAnchor = {
  readonly change: AnchorChange | "first" | "none" | "invalid";
  /** What to verify with: the pinned anchor, or the offered one where that goes on from it; null: nothing can be verified. */
  readonly trusted: TrustAnchor | null;
  readonly offered: TrustAnchor | null;
};

const compare = async (pinned: TrustAnchor | null, offered: TrustAnchor | null): Promise<PinnedAnchor> => {
  if (!offered) return pinned ? { change: "older", trusted: pinned, offered } : { change: "none", trusted: null, offered };
  if (pinned) {
    const change = await explainChange(pinned, offered);

    return { change, trusted: change === "older" || change === "replaced" ? pinned : offered, offered };
  }

  return (await verifyAnchor(offered)) === null
    ? { change: "first", trusted: offered, offered }
    : { change: "invalid", trusted: null, offered };
};

/** Compares what the server offers with what is pinned, and pins it when it goes on from that. A browser that keeps nothing compares nothing. */
export const pinAnchor = async (workspaceId: string, offered: TrustAnchor | null): Promise<PinnedAnchor> => {
  const found = await compare(await rememberedAnchor(workspaceId).catch(() => null), offered);
  const { change, trusted } = found;
  if (trusted && (change === "first" || change === "extended")) await rememberAnchor(workspaceId, trusted).catch(() => undefined);

  return found;
};

/** Whether the server offers something that no hand-over explains. */
export const isAnchorAlarm = ({ change }: PinnedAnchor): boolean => change === "replaced" || change === "older" || change === "invalid";
