/** Ended sessions as events, since a row alone could be reset. */
import type { AdminChanged } from "@/lib/engine/events/workspace";
import { SESSION_ENDED, computeSessionVersionDigest, computeTokenDigest } from "@/lib/engine/ledger/settings-digests";
import { digestInForce, type WorkspaceAuthority } from "@/lib/engine/ledger/workspace-authority";
import type { PeopleCommand } from "@/lib/people/command";
import type { RefusalCode } from "@/lib/refusal";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { listPersonalTokens } from "@/server/store/agents/token-changes";
import { listEndingSessions, raisesVersion, getSessionVersion, type Ending } from "@/server/store/people/session-endings";

export const toEnding = (command: PeopleCommand): Ending | null => {
  switch (command.kind) {
    case "people_end_sessions":
      return { userId: command.user, session: command.session, keep: null };
    case "people_sign_out":
      return { userId: command.user, session: command.session, keep: command.keep };
    case "people_disable":
    case "people_leave":
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

/** Tokens stand in for sessions. */
const revokeTokensOf = async (
  client: LedgerTransaction,
  authority: WorkspaceAuthority,
  userId: string,
  atMs: number,
): Promise<readonly AdminChanged[]> =>
  (await listPersonalTokens(client, authority.workspace, userId, atMs)).map(({ id, settings }) => ({
    type: "admin_changed",
    area: "tokens",
    subject: id,
    step: "revoked",
    before: digestInForce(authority, "tokens", id),
    after: computeTokenDigest({ ...settings, isRevoked: true }),
  }));

/** Returns events; `projection_mismatch` for a differing session version. */
export const endSessionsOf = async (
  client: LedgerTransaction,
  authority: WorkspaceAuthority,
  ending: Ending,
  atMs: number,
): Promise<readonly AdminChanged[] | RefusalCode> => {
  const ids = await listEndingSessions(client, authority.workspace, ending);
  const sessions = ids
    .filter((id) => digestInForce(authority, "sessions", id) === null)
    .map((subject) => ({ type: "admin_changed", area: "sessions", subject, step: "ended", before: null, after: SESSION_ENDED }) as const);
  const ended = ending.session === null ? [...sessions, ...(await revokeTokensOf(client, authority, ending.userId, atMs))] : sessions;
  if (!raisesVersion(ending)) return ended;
  const version = await getSessionVersion(client, authority.workspace, ending.userId);
  if (version === null) return ended;
  const before = computeSessionVersionDigest(version);
  if (before !== digestInForce(authority, "sessions", ending.userId)) return "projection_mismatch";
  const after = computeSessionVersionDigest(version + 1);

  return [...ended, { type: "admin_changed", area: "sessions", subject: ending.userId, step: "all_ended", before, after }];
};
