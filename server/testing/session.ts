import { randomUUID } from "node:crypto";
import type { SessionClaims } from "@/server/auth/session";
import type { Visit } from "@/server/auth/visit";
import { generateSessionSeed, getPublicKey } from "@/server/security/session-key";
import { findAccountById, insertSession } from "@/server/store/people/accounts";

export const beginTestSession = async (userId: string, visit: Visit, provedAtMs: number | null): Promise<SessionClaims> => {
  const [sessionId, sessionKey] = [randomUUID(), generateSessionSeed()];
  await insertSession({
    id: sessionId,
    userId,
    workspaceId: (await findAccountById(userId))?.workspaceIds[0] ?? userId,
    publicKey: getPublicKey(sessionKey),
    ...visit,
    createdAtMs: Date.now(),
    provedAtMs,
    providerSid: null,
  });

  return { userId, sessionVersion: 1, sessionId, sessionKey };
};
