/** The procedures as a signed-in person calls them. */
import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { newSessionSeed } from "@/server/security/session-key";
import { openTestSession } from "@/server/testing/authority";
import { createCaller } from "@/server/trpc/root";

type Person = { readonly id?: string; readonly auditor?: boolean; readonly session?: SignedIn["session"] };

/** A session that has just proved who its person is. */
export const freshSession = (): SignedIn["session"] => ({ id: randomUUID(), key: newSessionSeed(), provedAtMs: Date.now() });

/** A session that is in the database, as the control plane asks of whoever sends a command, and whose person has just proved who they are. */
export const openedSession = async (adminUrl: string, userId: string): Promise<SignedIn["session"]> => ({
  ...(await openTestSession(adminUrl, userId)),
  provedAtMs: Date.now(),
});

/** One whose proof is too old for what takes a fresh one. */
export const staleSession = (): SignedIn["session"] => ({ ...freshSession(), provedAtMs: Date.now() - 5 * 60_000 - 1 });

/** Somebody new with this role who has just proved who they are, unless `id` and `session` say otherwise. */
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
