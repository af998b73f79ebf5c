import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import { ACCESS_MS, type OauthGrant } from "@/lib/outside/oauth-grant";
import { systemClock } from "@/server/clock";
import { getEndpoint } from "@/server/outside/endpoint";
import { createTokenSecret, hashToken } from "@/server/outside/token";
import { readBody } from "@/server/security/request-guard";
import { deriveAgentSeed } from "@/server/security/session-key";
import { findAgentToken, findGrant, type AgentToken } from "@/server/store/agents/tokens";
import { submitCommand } from "@/server/web/submit-command";
import { answerProgram, limitPerMinute, OauthError, readParameters, respond, takeAttempt } from "./answer";
import { readClient } from "./client";
import { isDocumentId } from "./client-document";
import { createSecret, parseSecret } from "./secret";

const exchanges = limitPerMinute(60);

const readForm = async (request: Request): Promise<{ readonly form: Readonly<Record<string, string>>; readonly client: string }> => {
  takeAttempt(exchanges, request);
  if (request.headers.get("content-type")?.split(";")[0]?.trim() !== "application/x-www-form-urlencoded")
    throw new OauthError("invalid_request", "The body must be application/x-www-form-urlencoded.");
  const form = readParameters(new URLSearchParams(await readBody(request.body)));
  const id = form["client_id"] ?? "";
  if (!isDocumentId(id) && !readClient(id)) throw new OauthError("invalid_client", "The client is not registered here.", 401);

  return { form, client: hashToken(id) };
};

const invalidGrant = (): OauthError => new OauthError("invalid_grant", "The code or refresh token is invalid, spent or over.");

const checkTarget = (form: Readonly<Record<string, string>>, workspaceId: string, { graphs, scopes }: AgentToken): void => {
  const { resource, scope } = form;
  if (resource !== undefined && resource !== getEndpoint(workspaceId, graphs?.[0] ?? ""))
    throw new OauthError("invalid_target", "The grant is for another resource.");
  if (scope !== undefined && !scope.split(" ").every((name) => name === "" || (scopes as readonly string[]).includes(name)))
    throw new OauthError("invalid_scope", "The grant does not have this scope.");
};

const KINDS = { authorization_code: { kind: "code", field: "code" }, refresh_token: { kind: "refresh", field: "refresh_token" } } as const;

const shapeOf = (type: string | undefined) => {
  if (type !== "authorization_code" && type !== "refresh_token")
    throw new OauthError("unsupported_grant_type", "Codes and refresh tokens are exchanged here.");

  return KINDS[type];
};

const isOver = ({ revokedAt, oauth }: AgentToken, nowMs: number): boolean => revokedAt !== null || !oauth || oauth.endsAt <= nowMs;

const exchange = async (request: Request): Promise<Response> => {
  const { form, client } = await readForm(request);
  const { kind: secretKind, field } = shapeOf(form["grant_type"]);
  const secret = form[field] ?? "";
  const parsed = parseSecret(secret, secretKind);
  const found = parsed && (await findGrant(parsed.familyKey));
  if (!found || isOver(found.token, systemClock.now())) throw invalidGrant();
  const { workspaceId, token } = found;
  checkTarget(form, workspaceId, token);
  const { token: accessToken, ...made } = createTokenSecret();
  const next = createSecret("refresh", parsed.family);
  await submitCommand({
    workspaceId,
    author: { type: "agent", token: token.id, session: null, signer: { type: "token", key: parsed.seed } },
    runId: getWorkspaceLedgerId(workspaceId),
    body: {
      kind: "token_redeem",
      token: token.id,
      secret,
      client,
      verifier: secretKind === "code" ? (form["code_verifier"] ?? null) : null,
      redirectUri: form["redirect_uri"] ?? null,
      next: { ...made, credential: next.credential },
    },
  }).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "refused" ? invalidGrant() : error;
  });
  // A spent secret is recorded too: it ended the grant.
  if ((await findAgentToken(made.hash))?.token.id !== token.id) throw invalidGrant();

  return respond({
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: Math.floor(ACCESS_MS / 1_000),
    refresh_token: next.secret,
    scope: token.scopes.join(" "),
  });
};

export const handleToken = (request: Request): Promise<Response> => answerProgram(() => exchange(request));

type Own = { readonly workspaceId: string; readonly id: string; readonly oauth: OauthGrant | null; readonly seed: string };

const findOwn = async (secret: string): Promise<Own | null> => {
  const parsed = parseSecret(secret);
  const grant = parsed && (await findGrant(parsed.familyKey));
  if (parsed && grant) return { workspaceId: grant.workspaceId, id: grant.token.id, oauth: grant.token.oauth, seed: parsed.seed };
  const access = await findAgentToken(hashToken(secret));

  return access && { workspaceId: access.workspaceId, id: access.token.id, oauth: access.token.oauth, seed: deriveAgentSeed(secret) };
};

/** RFC 7009: ends the grant by its refresh or access token. */
export const handleRevocation = (request: Request): Promise<Response> =>
  answerProgram(async () => {
    const { form, client } = await readForm(request);
    const own = await findOwn(form["token"] ?? "");
    if (!own) return respond({});
    if (own.oauth?.client !== client) throw new OauthError("unsupported_token_type", "The token is not this client's.");
    const { workspaceId, id, seed } = own;
    await submitCommand({
      workspaceId,
      author: { type: "agent", token: id, session: null, signer: { type: "token", key: seed } },
      runId: getWorkspaceLedgerId(workspaceId),
      body: { kind: "token_revoke", token: id },
    });

    return respond({});
  });
