"use client";

/** Pins the trust anchor in this browser; later anchors must extend it. */
import { explainChange, verifyAnchor, type AnchorChange, type TrustAnchor } from "@/lib/engine/ledger/trust-anchor";
import { rememberAnchor, getRememberedAnchor } from "./store";

/** `first`: nothing was pinned. `none`: neither pinned nor offered. `invalid`: the offered anchor does not verify. */
export type PinnedAnchor = {
  readonly change: AnchorChange | "first" | "none" | "invalid";
  /** The anchor to verify with: the pinned one, or the offered one if it extends it; null if there is none. */
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

/** Compares the offered anchor with the pinned one, and pins it if it extends that. Without browser storage nothing is compared. */
export const pinAnchor = async (workspaceId: string, offered: TrustAnchor | null): Promise<PinnedAnchor> => {
  const found = await compare(await getRememberedAnchor(workspaceId).catch(() => null), offered);
  const { change, trusted } = found;
  if (trusted && (change === "first" || change === "extended")) await rememberAnchor(workspaceId, trusted).catch(() => undefined);

  return found;
};

/** Whether the server offers keys that no signed handover explains. */
export const isAnchorAlarm = ({ change }: PinnedAnchor): boolean => change === "replaced" || change === "older" || change === "invalid";
