import { z } from "zod";
import { toTokenChange } from "@/lib/admin-change";
import {
  findTokenObjection,
  isPersonal,
  isServiceAccount,
  MOST_PERSONAL,
  MOST_PERSONAL_MS,
  TOKEN_SCOPES,
  type Principal,
} from "@/lib/engine/principal";
import { computeTokenDigest } from "@/lib/engine/ledger/settings-digests";
import { GRANT_MS } from "@/lib/outside/oauth-grant";
import type { TokenCommand } from "@/lib/outside/token-command";
import { isAllowed } from "@/lib/roles";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { decideRedeem, isGrantable, refuse, revoke, type Decided } from "@/server/runner/token-grant";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { findStoredToken, insertToken, listPersonalTokens, replaceSecret } from "@/server/store/agents/token-changes";

const STEPS = { token_mint: "minted", token_rotate: "rotated", token_redeem: "redeemed", token_revoke: "revoked" } as const;

const decide = async (
  deps: RunnerDeps,
  client: LedgerTransaction,
  workspaceId: string,
  by: Principal | null,
  asked: TokenCommand,
): Promise<Decided> => {
  const atMs = deps.clock.now();
  const place = { client, workspaceId, atMs };
  if (asked.kind === "token_redeem") return decideRedeem(deps, place, by, asked);
  if (by?.type === "agent" && asked.kind === "token_revoke" && by.token === asked.token) {
    const own = await findStoredToken(client, workspaceId, asked.token);

    // Only an OAuth client gives up its own (RFC 7009).
    return own?.oauth ? revoke(place, asked.token, own) : refuse("principal_not_allowed");
  }
  if (by?.type !== "user") return refuse("principal_not_allowed");
  if (asked.kind === "token_mint") {
    const { lifetimeMs, oauth, ...token } = asked.token;
    if (findTokenObjection(by.role, token) !== null) return refuse("role_missing");
    if (oauth && !isGrantable(asked.token)) return refuse("step_refused");
    if (isPersonal(token.scopes)) {
      const others = await listPersonalTokens(client, workspaceId, by.id, atMs);
      if (lifetimeMs > MOST_PERSONAL_MS || others.length >= MOST_PERSONAL) return refuse("step_refused");
    }
    if (await findStoredToken(client, workspaceId, token.id)) return refuse("step_refused");
    const also = await verifySignedChange(deps.authority, workspaceId, by.id, toTokenChange(asked), client);
    if (typeof also === "string") return refuse(also);
    const grant = oauth ? { ...oauth, endsAt: atMs + GRANT_MS } : null;
    const settings = { ...token, oauth: grant, expiresAt: atMs + lifetimeMs, ownerId: by.id, isRevoked: false };

    return { before: null, after: computeTokenDigest(settings), also, project: () => insertToken(client, workspaceId, settings, atMs) };
  }
  const token = await findStoredToken(client, workspaceId, asked.token);
  // Admins change everyone's tokens, others their own.
  if (!token || (by.role !== "admin" && token.ownerId !== by.id)) return refuse("not_found");
  const { scopes } = z.object({ scopes: z.array(z.enum(TOKEN_SCOPES)) }).parse(token);
  if (!isAllowed(by.role, "connect.manage") && !(isPersonal(scopes) && token.ownerId === by.id)) return refuse("principal_not_allowed");
  if (asked.kind === "token_rotate") {
    // Its runs count as its owner's, so nobody else may hold the secret.
    if (token.ownerId !== by.id) return refuse("principal_not_allowed");
    if (token.isRevoked || !isServiceAccount(scopes)) return refuse("step_refused");
    const also = await verifySignedChange(deps.authority, workspaceId, by.id, toTokenChange(asked), client);
    if (typeof also === "string") return refuse(also);
    const { hash, publicKey, hint } = asked.secret;
    const settings = { ...token, hash, publicKey, expiresAt: atMs + asked.lifetimeMs };

    return {
      before: computeTokenDigest(token),
      after: computeTokenDigest(settings),
      also,
      project: () => replaceSecret(client, workspaceId, asked.token, { hash, publicKey, hint, expiresAt: settings.expiresAt }),
    };
  }

  return revoke(place, asked.token, token);
};

export const carryOutToken = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: TokenCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const { project, step = STEPS[asked.kind], ...digests } = await decide(deps, client, workspaceId, by, asked);
    const subject = asked.kind === "token_mint" ? asked.token.id : asked.token;

    return {
      sign: createAdminStepSigner(deps, workspaceId, { area: "tokens", subject, step, ...digests, by: by ?? author, commandId: id }),
      project,
    };
  });
  deps.notify(command.runId);
};
