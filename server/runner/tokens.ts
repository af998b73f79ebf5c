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
import type { TokenCommand } from "@/lib/outside/token-command";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";
import type { AdminStep } from "@/server/admin-step";
import { createAdminStepSigner } from "@/server/runner/admin-ledger";
import type { RunnerDeps } from "@/server/runner/deps";
import { identifyAttempt, isPrincipal } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { verifySignedChange } from "@/server/runner/signed-change";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import { findStoredToken, insertToken, listPersonalTokens, replaceSecret, revokeToken } from "@/server/store/agents/token-changes";

const STEPS = { token_mint: "minted", token_rotate: "rotated", token_revoke: "revoked" } as const;

type Decided = Pick<AdminStep, "before" | "after" | "also" | "refused"> & { readonly project: () => Promise<void> };

const refuse = (refused: RefusalCode): Decided => ({ before: null, after: null, refused, project: async () => undefined });

const decide = async (
  deps: RunnerDeps,
  client: LedgerTransaction,
  workspaceId: string,
  by: Principal | null,
  asked: TokenCommand,
): Promise<Decided> => {
  const atMs = deps.clock.now();
  if (by?.type !== "user") return refuse("principal_not_allowed");
  if (asked.kind === "token_mint") {
    const { lifetimeMs, ...token } = asked.token;
    if (findTokenObjection(by.role, token) !== null) return refuse("role_missing");
    if (isPersonal(token.scopes)) {
      const others = await listPersonalTokens(client, workspaceId, by.id, atMs);
      if (lifetimeMs > MOST_PERSONAL_MS || others.length >= MOST_PERSONAL) return refuse("step_refused");
    }
    if (await findStoredToken(client, workspaceId, token.id)) return refuse("step_refused");
    const also = await verifySignedChange(deps.authority, workspaceId, by.id, toTokenChange(asked), client);
    if (typeof also === "string") return refuse(also);
    const settings = { ...token, expiresAt: atMs + lifetimeMs, ownerId: by.id, isRevoked: false };

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

  return {
    before: computeTokenDigest(token),
    after: computeTokenDigest({ ...token, isRevoked: true }),
    project: () => revokeToken(client, workspaceId, asked.token, atMs),
  };
};

export const carryOutToken = async (deps: RunnerDeps, command: OpenedCommand, author: Principal, asked: TokenCommand): Promise<void> => {
  const { workspaceId, id } = command;
  await appendDecided(workspaceId, id, async (client) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const { project, ...digests } = await decide(deps, client, workspaceId, by, asked);
    const subject = asked.kind === "token_mint" ? asked.token.id : asked.token;
    const step = STEPS[asked.kind];

    return {
      sign: createAdminStepSigner(deps, workspaceId, { area: "tokens", subject, step, ...digests, by: by ?? author, commandId: id }),
      project,
    };
  });
  deps.notify(command.runId);
};
