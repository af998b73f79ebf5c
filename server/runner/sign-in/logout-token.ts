/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
import { jwtVerify } from "jose";
import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf } from "@/lib/hash";
import { SIGN_IN_WORKSPACE } from "@/lib/people/sign-in";
import { deriveId } from "@/server/derived-id";
import { createKeySource, listChecks, MOST_AGE_S, type Provider, type TokenDeps } from "./id-token";

const LOGOUT = "http://schemas.openid.net/event/backchannel-logout";

const claimsSchema = z
  .object({
    iss: z.string(),
    jti: z.string().min(1).max(255),
    sub: z.string().min(1).max(255).optional(),
    sid: z.string().min(1).max(255).optional(),
    events: z.object({ [LOGOUT]: z.object({}) }),
    /** Else an ID token could end sessions. */
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

export type LogoutClaims = { readonly issuer: string; readonly subject: string | null; readonly sid: string | null };

/** @param request the only one that may use the token, also after a crash */
export type VerifyLogoutToken = (token: string, request: string) => Promise<LogoutClaims | null>;

export const createLogoutTokenVerifier = (deps: TokenDeps, provider: Provider): VerifyLogoutToken => {
  const knownKeys = createKeySource(provider.issuer);

  return async (token, request) => {
    const checks = listChecks(provider, deps.clock, ["exp", "iat", "jti", "events"]);
    const verified = await jwtVerify(token, await knownKeys(), checks).catch(() => null);
    const claims = verified && claimsSchema.safeParse(verified.payload).data;
    if (!claims) return null;
    const nonce = deriveId({ jti: claims.jti });
    const digest = digestOf("proof", { jti: claims.jti });
    const isNew = await deps.journal.spend({
      nonce,
      run: getWorkspaceLedgerId(SIGN_IN_WORKSPACE),
      effect: nonce,
      transition_digest: digest,
      arguments_digest: digest,
      idempotency_key: request,
      expires_at: deps.clock.now() + 2 * MOST_AGE_S * 1_000,
    });

    return isNew ? { issuer: claims.iss, subject: claims.sub ?? null, sid: claims.sid ?? null } : null;
  };
};
