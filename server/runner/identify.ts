import type { Principal } from "@/lib/engine/principal";
import { ownMember, type Json } from "@/lib/json";
import type { RefusalCode } from "@/lib/refusal";
import { getCommandProofMs, isFresh } from "@/lib/people/fresh-proof";
import { provisionCommandSchema } from "@/lib/people/provision-command";
import { isTokenInForce } from "@/lib/people/provision-fold";
import { getReplyCommandId, readReplyBody, verifyReplyToken } from "@/lib/notifications/reply-link";
import { findConfirmedAccount } from "@/server/runner/confirmed-account";
import type { CommandSignature, OpenedCommand } from "@/server/runner/open-command";
import type { RunnerDeps } from "@/server/runner/deps";
import { computeWaitTokenId } from "@/server/waits/wait-token";
import { isSignedByKey } from "@/server/security/session-key";
import { AuthorityUnverified, ProjectionMismatch } from "@/server/store/trust/authority";
import {
  findAgentPrincipal,
  findAttemptingAgent,
  findPersonalToken,
  isDemo,
  findTokenSigner,
  findUserInSession,
  findUserPrincipal,
} from "@/server/store/people/principals";

type Deps = Pick<RunnerDeps, "authority" | "clock" | "publicKeys">;

/** Null: not permitted to ask this. */
export type Identified = Principal | RefusalCode | null;

export const getCode = (error: unknown): RefusalCode => {
  if (error instanceof ProjectionMismatch) return "projection_mismatch";
  if (error instanceof AuthorityUnverified) return "authority_unverified";
  throw error;
};

export const unlessUnproved = <T>(check: Promise<T>): Promise<T | RefusalCode> => check.catch(getCode);

const identifyInSession = async (
  { authority, clock }: Deps,
  workspaceId: string,
  { by, digest, signature }: CommandSignature,
  proofMs: number | null,
): Promise<Identified> => {
  if (by.type !== "session") return "command_forged";
  const atMs = clock.now();
  const { user, session } = await findUserInSession(authority, { workspaceId, userId: by.user, sessionId: by.id, atMs });
  if (user === null) return null;
  if (session === null) return "session_over";
  if (!isSignedByKey(session.publicKey, digest, signature)) return "command_forged";

  return proofMs === null || isFresh(session.provedAtMs, atMs, proofMs) ? user : "step_up_required";
};

/** A link does one thing, once, in one person's name. One that approves needs its account linked. */
const identifyByLink = async ({ authority, clock, publicKeys }: Deps, command: OpenedCommand, token: string): Promise<Identified> => {
  const link = await verifyReplyToken(token, await publicKeys(), clock.now());
  const body = link && readReplyBody(link, command.body);
  const { workspaceId, author } = command;
  if (!link || !body || link.workspace !== workspaceId || !("userId" in author) || link.user !== author.userId) return "link_invalid";

  if (link.approves && (await findConfirmedAccount({ authority }, workspaceId, link.user, link.channel)) === null) return "link_invalid";

  return getReplyCommandId(link, body) === command.id ? findUserPrincipal(authority, workspaceId, link.user) : "link_invalid";
};

/** A token proves no presence, so risky approvals need a passkey. */
const identifyByToken = async (
  deps: Deps,
  { workspaceId, runId, body }: OpenedCommand,
  userId: string,
  { by, digest, signature }: CommandSignature,
  proofMs: number | null,
): Promise<Identified> => {
  if (by.type !== "personal") return "command_forged";
  const found = await findPersonalToken(deps.authority, workspaceId, { tokenId: by.token, runId }, deps.clock.now());
  if (found?.user.id !== userId || found.publicKey === null) return null;
  if (!isSignedByKey(found.publicKey, digest, signature)) return "command_forged";
  if (ownMember(body, "kind") !== "decision") return "scope_missing";

  return proofMs === null ? found.user : "step_up_required";
};

const identifyUser = async (deps: Deps, command: OpenedCommand, userId: string, proofMs: number | null): Promise<Identified> => {
  const { workspaceId, signed, link } = command;
  if (link !== null) return identifyByLink(deps, command, link);
  if (signed?.by.type === "personal") return identifyByToken(deps, command, userId, signed, proofMs);
  if (signed !== null) return identifyInSession(deps, workspaceId, signed, proofMs);
  // One turn shares one read of the records.
  const [user, isOpen] = await Promise.all([findUserPrincipal(deps.authority, workspaceId, userId), isDemo(deps.authority, workspaceId)]);

  return user && !isOpen ? "session_over" : user;
};

/** A grant's family key signs only what concerns the grant itself. */
const keysOf = (
  { publicKey, familyKey }: { publicKey: string | null; familyKey: string | null },
  body: Json,
): readonly (string | null)[] => {
  const kind = ownMember(body, "kind");
  if (kind === "token_redeem") return [familyKey];

  return kind === "token_revoke" ? [publicKey, familyKey] : [publicKey];
};

/** Also valid when signed by the token's owner by hand. */
const objectionToSignature = async (deps: Deps, command: OpenedCommand, tokenId: string): Promise<RefusalCode | null> => {
  const { workspaceId, signed } = command;
  const token = await findTokenSigner(deps.authority, workspaceId, tokenId);
  if (token === null) return null;
  if (signed === null) return "command_forged";
  if (signed.by.type === "token") {
    if (token.publicKey === null) return "token_without_key";

    const keys = keysOf(token, command.body);

    return keys.some((key) => key !== null && isSignedByKey(key, signed.digest, signed.signature)) ? null : "command_forged";
  }
  if (signed.by.type !== "session" || signed.by.user !== token.ownerId) return "command_forged";
  const owner = await identifyInSession(deps, workspaceId, signed, null);

  return typeof owner === "string" ? owner : owner === null ? "session_over" : null;
};

const identifyAgent = async (
  deps: Deps,
  command: OpenedCommand,
  tokenId: string,
  find: () => Promise<Principal | null>,
): Promise<Identified> => (await objectionToSignature(deps, command, tokenId)) ?? find();

const startHashOf = (body: Json): string | null => {
  const hash = ownMember(body, "kind") === "start" ? ownMember(body, "graph_hash") : null;

  return typeof hash === "string" ? hash : null;
};

const identifyDirectory = async (
  { authority, clock }: Deps,
  { workspaceId, body }: OpenedCommand,
  tokenId: string,
  { digest, signature }: CommandSignature,
): Promise<Identified> => {
  const { provision, inForce } = (await authority.read(workspaceId)).approvers.directory;
  const token = provision.tokens.get(tokenId);
  if (!token || !isTokenInForce(token, inForce?.directory ?? null, clock.now())) return "principal_not_allowed";
  if (!isSignedByKey(token.publicKey, digest, signature)) return "command_forged";

  return provisionCommandSchema.safeParse(body).success ? { type: "directory", token: tokenId } : "scope_missing";
};

const identifyByWait = ({ body }: OpenedCommand, id: string): Identified => {
  const token = ownMember(body, "token");
  if (ownMember(body, "kind") !== "answer_wait" || typeof token !== "string") return "scope_missing";

  return computeWaitTokenId(token) === id ? { type: "wait", token: id } : "command_forged";
};

export const identify = (deps: Deps, command: OpenedCommand, proofMs = getCommandProofMs(command.body)): Promise<Identified> => {
  const { author, workspaceId, runId, signed, wait } = command;
  if (wait !== null) return Promise.resolve(identifyByWait(command, wait));
  if (signed?.by.type === "directory") return Promise.resolve(null);

  return unlessUnproved(
    "userId" in author
      ? identifyUser(deps, command, author.userId, proofMs)
      : identifyAgent(deps, command, author.tokenId, () =>
          findAgentPrincipal(
            deps.authority,
            workspaceId,
            author.tokenId,
            { sessionId: author.sessionId, runId, startHash: startHashOf(command.body) },
            deps.clock.now(),
          ),
        ),
  );
};

export const identifyAttempt = (deps: Deps, command: OpenedCommand, proofMs = getCommandProofMs(command.body)): Promise<Identified> => {
  const { author, workspaceId, signed, wait } = command;
  if (wait !== null) return Promise.resolve(null);
  if (signed?.by.type === "directory") {
    return "tokenId" in author ? unlessUnproved(identifyDirectory(deps, command, author.tokenId, signed)) : Promise.resolve(null);
  }

  return unlessUnproved(
    "userId" in author
      ? identifyUser(deps, command, author.userId, proofMs)
      : identifyAgent(deps, command, author.tokenId, () =>
          findAttemptingAgent(deps.authority, workspaceId, author.tokenId, author.sessionId),
        ),
  );
};

export const isPrincipal = (identified: Identified): identified is Principal => typeof identified === "object" && identified !== null;
