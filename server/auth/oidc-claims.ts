/** What an identity provider says of somebody, and which of it counts here. */
import { z } from "zod";

/** Why nobody came in, or nothing was linked, for the log alone. */
export type ClaimsDenial = "malformed" | "issuer" | "email_unverified" | "email_domain";

export type Rules = { readonly issuer: string; readonly allowedDomains: readonly string[] };

const MOST_NAME = 100;

/** What the provider signed; whatever else stands in it is not looked at. */
export const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
  name: z.unknown().optional(),
  /** When the person proved to the provider who they are, in seconds since 1970. */
  auth_time: z.number().int().positive().max(1e11).optional(),
});
export type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z.email().max(254);

/** The address, when the provider says that it looked: yes, and nothing that only reads like it. */
export const verifiedEmail = ({ email, email_verified: verified }: Claims): string | null => {
  const parsed = emailSchema.safeParse(email);

  return parsed.success && verified === true ? parsed.data.toLowerCase() : null;
};

/** One line of a name that a person has chosen elsewhere. */
export const nameOf = ({ name }: Claims, email: string): string => {
  const text = typeof name === "string" ? name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim() : "";

  return Array.from(text).slice(0, MOST_NAME).join("").trim() || (email.split("@")[0] ?? email).slice(0, MOST_NAME);
};

const isInDomains = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));

/** @param isKnown whether the account is found by something else than the address: then that counts only where it says who belongs here */
export const objectionTo = (claims: Claims, { issuer, allowedDomains }: Rules, isKnown: boolean): ClaimsDenial | null => {
  if (claims.iss !== issuer) return "issuer";
  if (isKnown && allowedDomains.length === 0) return null;
  const email = verifiedEmail(claims);
  if (email === null) return "email_unverified";

  return isInDomains(email, allowedDomains) ? null : "email_domain";
};
