/** Ended sessions as events, since a row alone could be reset. */
import type { AdminChanged } from "@/lib/engine/events/workspace";
import { SESSION_ENDED, computeSessionVersionDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { PeopleCommand } from "@/lib/people/command";
import type { RefusalCode } from "@/lib/refusal";
import { listEndingSessions, raisesVersion, getSessionVersion, type Ending } from "@/server/store/people/session-endings";
import type pg from "pg";

/** Returns the sessions that a command ends, or null. */
export const toEnding = (command: PeopleCommand): Ending | null => {
  switch (command.kind) {
    case "people_end_sessions":
      return { userId: command.user, session: command.session, keep: null };
    case "people_sign_out":
      return { userId: command.user, session: command.session, keep: command.keep };
    case "people_disable":
      return { userId: command.user, session: null, keep: null };
    case "people_unlink_identity":
      return { userId: command.user, session: null, keep: command.keep };
    case "people_invite":
    case "people_withdraw":
    case "people_change":
    case "people_enable":
    case "people_link_identity":
      return null;
    default:
      return command satisfies never;
  }
};

/** Returns events; `projection_mismatch` for a differing session version. */
export const endSessionsOf = async (
  client: pg.PoolClient,
  authority: WorkspaceAuthority,
  ending: Ending,
): Promise<readonly AdminChanged[] | RefusalCode> => {
  const ids = await listEndingSessions(client, ending);
  const ended = ids
    .filter((id) => digestInForce(authority, "sessions", id) === null)
    .map((subject) => ({ type: "admin_changed", area: "sessions", subject, step: "ended", before: null, after: SESSION_ENDED }) as const);
  if (!raisesVersion(ending)) return ended;
  const version = await getSessionVersion(client, ending.userId);
  if (version === null) return ended;
  const before = computeSessionVersionDigest(version);
  if (before !== digestInForce(authority, "sessions", ending.userId)) return "projection_mismatch";
  const after = computeSessionVersionDigest(version + 1);

  return [...ended, { type: "admin_changed", area: "sessions", subject: ending.userId, step: "all_ended", before, after }];
};
