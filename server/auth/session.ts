/** From what the session token says to who is signed in. */
import { findMember } from "@/server/store/users";
import type { SignedIn } from "./signed-in";

/** All that a session token holds. Everything else is read from the database, so that it is never out of date. */
export type SessionClaims = { readonly userId: string; readonly sessionVersion: number };

/** Null when the user is gone, disabled, without a workspace, or when all of their sessions were ended since. */
export const signedInOf = async (claims: SessionClaims | null): Promise<SignedIn | null> => {
  if (claims === null) return null;

  const member = await findMember(claims.userId);
  if (member === null || member.user.disabledAt !== null || member.user.sessionVersion !== claims.sessionVersion) return null;

  const { user, workspace, role, auditor } = member;

  return { user: { id: user.id, name: user.name, email: user.email }, workspace, role, auditor };
};
