import type { NotificationMessage } from "@/lib/notifications/message";
import { renderTeams } from "@/lib/notifications/teams";
import { isTeamsAddress } from "@/lib/notifications/teams-address";
import type { ChannelOutcome, NotificationChannel } from "./channel";
import type { Attempt, SendMessage } from "./message";

/** A card of Teams has at most 28 KB. */
const MOST_ITEMS = 5;

const isFinal = (attempt: Attempt): boolean =>
  !attempt.ok &&
  (attempt.fault === "blocked" || (attempt.code !== null && attempt.code >= 400 && attempt.code < 500 && attempt.code !== 429));

export const createTeamsChannel = (send: SendMessage, origins: readonly string[]): NotificationChannel => ({
  mostItems: MOST_ITEMS,
  deliver: async (message: NotificationMessage, { workspaceId, address: url }): Promise<ChannelOutcome> => {
    // Checked here too: the web process stores the address.
    if (!isTeamsAddress(url, origins)) return { ok: false, code: null, fault: "blocked", isFinal: true };
    const attempt = await send(workspaceId, { url, payload: JSON.stringify(renderTeams(message)), headers: {} });

    return { ...attempt, isFinal: isFinal(attempt) };
  },
});
