/** A prefix, 32 bytes that a grant's secrets share, and 32 of their own. */
import { randomBytes } from "node:crypto";
import { hashToken } from "@/server/outside/token";
import { deriveAgentSeed, getPublicKey } from "@/server/security/session-key";

const PREFIXES = { code: "cc_", refresh: "cr_" } as const;
type Kind = keyof typeof PREFIXES;

const BYTES = 32;
const FORM = /^(c[cr]_)([\w-]{43})[\w-]{43}$/;

const randomPart = (): string => randomBytes(BYTES).toString("base64url");

export type GrantSecret = { readonly secret: string; readonly credential: string };

export const createSecret = (kind: Kind, family = randomPart()): GrantSecret & { readonly familyKey: string } => {
  const secret = `${PREFIXES[kind]}${family}${randomPart()}`;

  return { secret, credential: hashToken(secret), familyKey: getPublicKey(deriveAgentSeed(family)) };
};

export const parseSecret = (secret: string, kind?: Kind) => {
  const [, prefix, family] = FORM.exec(secret) ?? [];
  if (family === undefined || (kind !== undefined && prefix !== PREFIXES[kind])) return null;
  const seed = deriveAgentSeed(family);

  return { family, seed, familyKey: getPublicKey(seed) };
};
