/** Who may come in by an identity provider: somebody invited under the address that it vouches for, then the same for good. */
import { z } from "zod";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { findIdentity, linkInvited } from "@/server/store/identities";
import { findMember } from "@/server/store/users";
import type { AccountClaims } from "./session";

/** Why nobody came in, for the log alone: who signs in is told one sentence, whichever it was. */
type Denial = "malformed" | "issuer" | "email_unverified" | "email_domain" | "unknown" | "disabled";

export type OidcOutcome =
  | { readonly status: "ok"; readonly claims: AccountClaims; readonly provedAtMs: number | null }
  | { readonly status: "denied"; readonly code: Denial };

type Rules = { readonly issuer: string; readonly allowedDomains: readonly string[] };

const MOST_NAME = 100;

/** What the provider signed; whatever else stands in it is not looked at. */
const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.unknown(),
  email_verified: z.unknown(),
  name: z.unknown(),
  /** When the person proved to the provider who they are, in seconds since 1970. */
  auth_time: z.number().int().positive().max(1e11).optional(),
});

type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z.email().max(254);

/** The address, when the provider says that it looked: yes, and nothing that only reads like it. */
const verifiedEmail = ({ email, email_verified: verified }: Claims): string | null => {
  const parsed = emailSchema.safeParse(email);

  return parsed.success && verified === true ? parsed.data.toLowerCase() : null;
};

/** One line of a name that a person has chosen elsewhere. */
const nameOf = ({ name }: Claims, email: string): string => {
  const text = typeof name === "string" ? name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim() : "";

  return Array.from(text).slice(0, MOST_NAME).join("").trim() || (email.split("@")[0] ?? email).slice(0, MOST_NAME);
};

const isInDomains = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));

const objectionTo = (claims: Claims, { issuer, allowedDomains }: Rules, isLinked: boolean): Denial | null => {
  if (claims.iss !== issuer) return "issuer";
  // Who is linked is known by their subject: the address counts again only where it says who belongs here.
  if (isLinked && allowedDomains.length === 0) return null;
  const email = verifiedEmail(claims);
  if (email === null) return "email_unverified";

  return isInDomains(email, allowedDomains) ? null : "email_domain";
};

const link = async (claims: Claims): Promise<string | null> => {
  const email = verifiedEmail(claims);
  if (email === null) return null;
  const now = new Date(systemClock.now());

  return linkInvited({ issuer: claims.iss, subject: claims.sub, userId: systemClock.id(), name: nameOf(claims, email), email }, now);
};

const outcomeOf = async (profile: unknown, rules: Rules): Promise<OidcOutcome> => {
  const parsed = claimsSchema.safeParse(profile);
  if (!parsed.success) return { status: "denied", code: "malformed" };
  const claims = parsed.data;
  const linked = await findIdentity({ issuer: claims.iss, subject: claims.sub });
  const objection = objectionTo(claims, rules, linked !== null);
  if (objection) return { status: "denied", code: objection };

  const userId = linked ?? (await link(claims));
  const member = userId === null ? null : await findMember(userId);
  if (member === null) return { status: "denied", code: "unknown" };
  if (member.user.disabledAt !== null) return { status: "denied", code: "disabled" };

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
