/** Verifies the provider's ID tokens; the web process only forwards them. */
import { createRemoteJWKSet, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { digestOf, type HexDigest } from "@/lib/hash";
import { SIGN_IN_WORKSPACE } from "@/lib/people/sign-in";
import { claimsSchema, type Claims, type Rules } from "@/server/auth/oidc-claims";
import type { Clock } from "@/server/clock";
import { deriveId } from "@/server/derived-id";
import type { Journal } from "@/server/security/journal/journal";

export type VerifiedToken = {
  readonly claims: Claims;
  readonly rules: Rules;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Of the payload. */
  readonly digest: HexDigest;
};

/** Null: not the provider's for this installation, expired, without nonce, or reused. */
export type VerifyIdToken = (token: string) => Promise<VerifiedToken | null>;

export type Provider = Rules & { readonly clientId: string };

const TIMEOUT_MS = 10_000;
/** From issue to sign-in. */
export const MOST_AGE_S = 10 * 60;
/** Asymmetric only: the web process also has the client secret. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

const discoverySchema = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Keys are fetched on first use and when new ones appear. */
export const createKeySource = (issuer: string): (() => Promise<JWTVerifyGetKey>) => {
  let keys: Promise<JWTVerifyGetKey> | null = null;

  return () =>
    (keys ??= fetchKeys(issuer).catch((error: unknown) => {
      keys = null;
      throw error;
    }));
};

const fetchKeys = async (issuer: string): Promise<JWTVerifyGetKey> => {
  const answer = await fetch(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const found = discoverySchema.parse(await answer.json());
  if (found.issuer !== issuer) throw new Error(`the provider at ${issuer} calls itself another issuer`);

  return createRemoteJWKSet(new URL(found.jwks_uri), { timeoutDuration: TIMEOUT_MS });
};

/** OpenID Connect Core 3.1.3.7: a token for several audiences names its authorised party. */
const isIssuedTo = ({ aud, azp }: JWTPayload, clientId: string): boolean =>
  azp === undefined ? typeof aud === "string" || aud?.length === 1 : azp === clientId;

export const listChecks = ({ issuer, clientId }: Provider, clock: Clock, requiredClaims: string[]) => ({
  issuer,
  audience: clientId,
  algorithms: ALGORITHMS,
  maxTokenAge: MOST_AGE_S,
  clockTolerance: 30,
  requiredClaims,
  currentDate: new Date(clock.now()),
});

export type TokenDeps = { readonly journal: Pick<Journal, "spend">; readonly clock: Clock };

// Payload only: a signature has several encodings.
const digestOfToken = (token: string): HexDigest => digestOf("proof", { payload: token.split(".")[1] ?? "" });

const spend = ({ journal, clock }: TokenDeps, digest: HexDigest, nonce: string): Promise<boolean> =>
  journal.spend({
    // Two tokens of one request count once.
    nonce: deriveId({ nonce }),
    run: getWorkspaceLedgerId(SIGN_IN_WORKSPACE),
    effect: deriveId({ token: digest }),
    transition_digest: digest,
    arguments_digest: digest,
    // Unique, so that uses never coincide.
    idempotency_key: clock.id(),
    expires_at: clock.now() + 2 * MOST_AGE_S * 1_000,
  });

export const createIdTokenVerifier = (deps: TokenDeps, { clientId, ...rules }: Provider): VerifyIdToken => {
  const knownKeys = createKeySource(rules.issuer);

  return async (token) => {
    const checks = listChecks({ clientId, ...rules }, deps.clock, ["exp", "iat", "sub", "nonce"]);
    const verified = await jwtVerify(token, await knownKeys(), checks).catch(() => null);
    const claims = verified && claimsSchema.safeParse(verified.payload).data;
    if (!verified || !claims || !isIssuedTo(verified.payload, clientId)) return null;
    const { payload } = verified;
    const digest = digestOfToken(token);
    if (typeof payload["nonce"] !== "string" || !(await spend(deps, digest, payload["nonce"]))) return null;

    return { claims, rules, payload, digest };
  };
};
