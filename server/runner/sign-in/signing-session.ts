import type { HexDigest } from "@/lib/hash";
import type { EntryRequest, ProofRequest } from "@/lib/people/sign-in";
import { raiseAlarm } from "@/server/runner/alarms";
import type { SignInDeps } from "@/server/runner/sign-in/outcome";
import { isSignedByKey } from "@/server/security/session-key";
import { findKeyedSession, type KeyedSession } from "@/server/store/people/accounts";

/** People wait seconds; later requests were held back. */
const MOST_AGE_MS = 60_000;

/** Null: no open session signed it. */
export const findSigningSession = async (
  { clock }: Pick<SignInDeps, "clock">,
  { user, session: id, sent_at: sentAt, signature }: Pick<ProofRequest | EntryRequest, "user" | "session" | "sent_at" | "signature">,
  digest: HexDigest,
): Promise<KeyedSession | null> => {
  const session = await findKeyedSession(id, user, clock.now());
  if (session === null || clock.now() - sentAt > MOST_AGE_MS) return null;
  if (isSignedByKey(session.publicKey, digest, signature)) return session;
  const { workspaceId } = session;
  await raiseAlarm({ clock }, { kind: "forged_command", workspaceId, runId: null, detail: `proof for session ${id}` });

  return null;
};
