import { createHash } from "node:crypto";
import { z } from "zod";
import { AGENT_SCOPES, findTokenObjection, TOKEN_SCOPES, type Principal, type TokenScope } from "@/lib/engine/principal";
import { computeTokenDigest, type TokenSettings } from "@/lib/engine/ledger/settings-digests";
import { integritySchema } from "@/lib/graph/label";
import { ACCESS_MS, CODE_MS, type OauthGrant, type RedeemCommand } from "@/lib/outside/oauth-grant";
import type { NewToken } from "@/lib/outside/token-command";
import type { RefusalCode } from "@/lib/refusal";
import type { AdminStep } from "@/server/admin-step";
import type { RunnerDeps } from "@/server/runner/deps";
import { unlessUnproved } from "@/server/runner/identify";
import { findStoredToken, replaceSecret, revokeToken } from "@/server/store/agents/token-changes";
import { findUserPrincipal } from "@/server/store/people/principals";
import type { LedgerTransaction } from "@/server/store/runs/attempts";

export type Decided = Pick<AdminStep, "before" | "after" | "also" | "refused"> & {
  readonly step?: "revoked";
  readonly project: () => Promise<void>;
};

export const refuse = (refused: RefusalCode): Decided => ({ before: null, after: null, refused, project: async () => undefined });

type Place = { readonly client: LedgerTransaction; readonly workspaceId: string; readonly atMs: number };

export const revoke = ({ client, workspaceId, atMs }: Place, id: string, token: TokenSettings): Decided => ({
  before: computeTokenDigest(token),
  after: computeTokenDigest({ ...token, isRevoked: true }),
  step: "revoked",
  project: () => revokeToken(client, workspaceId, id, atMs),
});

export const isGrantable = ({ scopes, graphs, integrity, lifetimeMs }: NewToken): boolean =>
  graphs?.length === 1 &&
  integrity === "untrusted" &&
  lifetimeMs <= CODE_MS &&
  scopes.every((scope) => (AGENT_SCOPES as readonly TokenScope[]).includes(scope));

const sha256 = (text: string, encoding: "hex" | "base64url"): string => createHash("sha256").update(text).digest(encoding);

/** PKCE (RFC 7636) and the redirect URI belong to the code only. */
const fits = ({ client, credential, challenge, redirectUri }: OauthGrant, asked: RedeemCommand): boolean =>
  sha256(asked.secret, "hex") === credential &&
  asked.client === client &&
  (challenge === null ||
    (asked.verifier !== null &&
      sha256(asked.verifier, "base64url") === challenge &&
      (asked.redirectUri === null || asked.redirectUri === redirectUri)));

const rightsSchema = z.object({ scopes: z.array(z.enum(TOKEN_SCOPES)), integrity: integritySchema });

/** A spent secret, or one that does not fit, was stolen: it ends the grant. */
export const decideRedeem = async (deps: RunnerDeps, place: Place, by: Principal | null, asked: RedeemCommand): Promise<Decided> => {
  const { client, workspaceId, atMs } = place;
  const token = await findStoredToken(client, workspaceId, asked.token);
  if (by?.type !== "agent" || by.token !== asked.token || !token?.oauth) return refuse("principal_not_allowed");
  const { oauth, ownerId } = token;
  const unproved = await unlessUnproved(
    deps.authority.demand(workspaceId, "tokens", asked.token, computeTokenDigest(token), client).then(() => null),
  );
  if (unproved !== null) return refuse(unproved);
  if (token.isRevoked || oauth.endsAt <= atMs) return refuse("step_refused");
  if (!fits(oauth, asked)) return revoke(place, asked.token, token);
  if (oauth.challenge !== null && token.expiresAt <= atMs) return refuse("step_refused");
  const owner = await unlessUnproved(findUserPrincipal(deps.authority, workspaceId, ownerId));
  if (typeof owner === "string") return refuse(owner);
  if (owner === null || findTokenObjection(owner.role, rightsSchema.parse(token)) !== null) return refuse("role_missing");
  const { credential, ...secret } = asked.next;
  const next = { ...secret, oauth: { ...oauth, credential, challenge: null }, expiresAt: Math.min(atMs + ACCESS_MS, oauth.endsAt) };
  const { hint: _hint, ...settings } = next;

  return {
    before: computeTokenDigest(token),
    after: computeTokenDigest({ ...token, ...settings }),
    project: () => replaceSecret(client, workspaceId, asked.token, next),
  };
};
