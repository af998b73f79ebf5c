"use client";

import { explainChange, verifyAnchor, type AnchorChange, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { rememberAnchor, getRememberedAnchor } from "./store";

/** `first`: nothing pinned; `none`: neither pinned nor offered; `invalid`: the offer does not verify. */
export type PinnedAnchor = {
  readonly change: AnchorChange | "first" | "none" | "invalid";
  /** Pinned anchor, or the offered one if it extends that. */
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

/** Pins an anchor that extends the pinned one; without storage, compares nothing. */
export const pinAnchor = async (workspaceId: string, offered: TrustAnchor | null): Promise<PinnedAnchor> => {
  const found = await compare(await getRememberedAnchor(workspaceId).catch(() => null), offered);
  const { change, trusted } = found;
  if (trusted && (change === "first" || change === "extended")) await rememberAnchor(workspaceId, trusted).catch(() => undefined);

  return found;
};

/** Returns whether keys lack a signed handover. */
export const isAnchorAlarm = ({ change }: PinnedAnchor): boolean => change === "replaced" || change === "older" || change === "invalid";
