/** Who may come in by an identity provider: somebody invited under the address that it vouches for, then the same for good. */
import { identityDigest } from "@/lib/engine/settings-digests";
import { systemClock } from "@/server/clock";
import type { Identity } from "@/lib/people/identity";
import { log } from "@/server/log";
import { findIdentity } from "@/server/store/identities";
import { workspaceInviting } from "@/server/store/invites";
import { findMember, findUserByEmail, type MemberRow } from "@/server/store/users";
import { unlessMismatch } from "@/server/web/authority";
import { refusalOf, submitFor } from "@/server/web/membership";
import { confirmMember } from "./confirmed-member";
import { claimsSchema, nameOf, objectionTo, verifiedEmail, type Claims, type ClaimsDenial, type Rules } from "./oidc-claims";
import type { AccountClaims } from "./session";

/**
 * `email_known`: the address is that of an account with a password, whose person links the identity from inside.
 * `authority_mismatch`: the account's rows, or the link of the identity to it, are not what the signed records say.
 */
export type Denial = ClaimsDenial | "unknown" | "disabled" | "email_known" | "authority_mismatch";

export type OidcOutcome =
  | { readonly status: "ok"; readonly claims: AccountClaims; readonly provedAtMs: number | null }
  | { readonly status: "denied"; readonly code: Denial };

const denied = (code: Denial): OidcOutcome => ({ status: "denied", code });

/** Makes the account that an open invite to this address stands for. @returns its id; null when no invite lets it in */
const joinByInvite = async (claims: Claims, email: string): Promise<string | null> => {
  const workspaceId = await workspaceInviting(email, new Date(systemClock.now()));
  if (workspaceId === null) return null;
  const userId = systemClock.id();
  const proof = { type: "identity", issuer: claims.iss, subject: claims.sub, email } as const;
  try {
    await submitFor(workspaceId, userId, { kind: "member_join", proof, name: nameOf(claims, email), password_hash: null });

    return userId;
  } catch (error) {
    if (refusalOf(error) === null) throw error;

    return null;
  }
};

/** @returns the id of an account that an invite has made just now, or why there is none */
const join = async (claims: Claims): Promise<{ readonly userId: string } | Denial> => {
  const email = verifiedEmail(claims);
  if (email === null) return "email_unverified";
  const userId = await joinByInvite(claims, email);
  if (userId !== null) return { userId };

  // An address proves nothing about an account that somebody else may have made: whoever has its password says that both are one.
  return (await findUserByEmail(email))?.passwordHash ? "email_known" : "unknown";
};

/** Returns whom an identity is linked to, on record. */
const linkedMember = async (identity: Identity, userId: string): Promise<MemberRow | "authority_mismatch" | null> => {
  const readMember = async () => ((await findIdentity(identity)) === userId ? findMember(userId) : null);
  const found = await readMember();
  const claims = () => [{ area: "identities", subject: userId, digest: identityDigest(identity) } as const];

  return found && unlessMismatch(confirmMember(found, readMember, claims), "authority_mismatch");
};

const outcomeOf = async (profile: unknown, rules: Rules): Promise<OidcOutcome> => {
  const parsed = claimsSchema.safeParse(profile);
  if (!parsed.success) return denied("malformed");
  const claims = parsed.data;
  const identity = { issuer: claims.iss, subject: claims.sub };
  const linked = await findIdentity(identity);
  const objection = objectionTo(claims, rules, linked !== null);
  if (objection) return denied(objection);

  const found = linked === null ? await join(claims) : { userId: linked };
  if (typeof found === "string") return denied(found);
  const member = await linkedMember(identity, found.userId);
  if (member === "authority_mismatch") return denied(member);
  if (member === null) return denied("unknown");
  if (member.user.disabledAt !== null) return denied("disabled");

  return {
    status: "ok",
    claims: { userId: member.user.id, sessionVersion: member.user.sessionVersion },
    provedAtMs: claims.auth_time === undefined ? null : claims.auth_time * 1_000,
  };
};

/**
 * Decides about somebody whom the provider has just named. A denial is logged by its code, without a word of what was claimed.
 * @param profile the claims of the ID token, whose signature, audience and nonce are checked already
 */
export const signInWithOidc = async (profile: unknown, rules: Rules): Promise<OidcOutcome> => {
  const outcome = await outcomeOf(profile, rules);
  if (outcome.status === "denied") log().warn({ code: outcome.code }, "sign-in by the identity provider was denied");

  return outcome;
};
