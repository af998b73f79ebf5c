import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { generateSessionSeed } from "@/server/security/session-key";
import { openTestSession } from "@/server/testing/authority";
import { createCaller } from "@/server/trpc/root";

type Person = { readonly id?: string; readonly auditor?: boolean; readonly session?: SignedIn["session"] };

export const freshSession = (): SignedIn["session"] => ({ id: randomUUID(), key: generateSessionSeed(), provedAtMs: Date.now() });

export const openedSession = async (adminUrl: string, userId: string): Promise<SignedIn["session"]> => ({
  ...(await openTestSession(adminUrl, userId)),
  provedAtMs: Date.now(),
});

export const staleSession = (): SignedIn["session"] => ({ ...freshSession(), provedAtMs: Date.now() - 5 * 60_000 - 1 });

/** Calls procedures as a new, freshly proved person. */
export const callerAs = (workspaceId: string, role: Role, { id = randomUUID(), auditor = false, session = freshSession() }: Person = {}) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id, name: role, email: `${id}@test.invalid` },
      workspace: { id: workspaceId, name: "Test", demo: false },
      role,
      auditor,
      session,
    }),
  });
