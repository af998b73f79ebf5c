import { computeInviteDigest } from "@/lib/engine/ledger/settings-digests";
import { hashSetupToken } from "@/server/auth/setup-token";
import { systemClock } from "@/server/clock";
import { findOpenInvite, type OpenInvite } from "@/server/store/people/invites";
import { confirmRow, catchMismatch } from "./authority";

/** Returns null when void. */
export const confirmInvite = async (token: string): Promise<OpenInvite | null> => {
  const readInvite = () => findOpenInvite(hashSetupToken(token), new Date(systemClock.now()));
  const found = await readInvite();
  const confirmed =
    found &&
    confirmRow<OpenInvite | null>(found.workspaceId, found, readInvite, (invite) =>
      invite ? [{ area: "people", subject: invite.id, digest: computeInviteDigest(invite) }] : [],
    );

  return confirmed && catchMismatch(confirmed, null);
};
