import { z } from "zod";

export type ClaimsDenial = "malformed" | "issuer" | "email_unverified" | "email_domain";

export type Rules = { readonly issuer: string; readonly allowedDomains: readonly string[] };

const MOST_NAME = 100;

export const claimsSchema = z.object({
  iss: z.string().min(1).max(500),
  sub: z.string().min(1).max(255),
  email: z.unknown().optional(),
  email_verified: z.unknown().optional(),
  name: z.unknown().optional(),
  sid: z.string().min(1).max(255).optional(),
  /** Seconds since 1970. */
  auth_time: z.number().int().positive().max(1e11).optional(),
});
export type Claims = z.infer<typeof claimsSchema>;

const emailSchema = z.email().max(254);

export const getVerifiedEmail = ({ email, email_verified: verified }: Claims): string | null => {
  const parsed = emailSchema.safeParse(email);

  return parsed.success && verified === true ? parsed.data.toLowerCase() : null;
};

export const nameOf = ({ name }: Claims, email: string): string => {
  const text = typeof name === "string" ? name.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim() : "";

  return Array.from(text).slice(0, MOST_NAME).join("").trim() || (email.split("@")[0] ?? email).slice(0, MOST_NAME);
};

const isInDomains = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));

/** Finds an objection. @param isKnown found by subject, so the address only decides the domain */
export const findObjection = (claims: Claims, { issuer, allowedDomains }: Rules, isKnown: boolean): ClaimsDenial | null => {
  if (claims.iss !== issuer) return "issuer";
  if (isKnown && allowedDomains.length === 0) return null;
  const email = getVerifiedEmail(claims);
  if (email === null) return "email_unverified";

  return isInDomains(email, allowedDomains) ? null : "email_domain";
};
