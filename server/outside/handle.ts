import { createMcpHandler } from "@modelcontextprotocol/server";
import { isJsonObject, jsonSchema } from "@/lib/json";
import { getClientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { createRateLimiter } from "@/server/security/rate-limit";
import { revokeAgentSession } from "@/server/store/agents/sessions";
import { isConnectionError } from "@/server/store/connection-errors";
import { authenticate, findGraphFor, type Caller } from "./caller";
import { recordDenied } from "./denied";
import {
  findBatchObjection,
  respondBroken,
  respondDatabaseAway,
  respondNotFound,
  findObjection,
  readJson,
  noSessionLeft,
  respondTooMany,
  respondUnauthenticated,
  respondUnreadable,
} from "./request-guard";
import { createServerFor } from "./server";
import { mintSession, openSession } from "./session";
import { limitSentence } from "./token-limits";
import { hashToken } from "./token";
import { readBearer } from "./token-form";

const MINUTE_MS = 60_000;

/** Above any agent's loop. */
const perToken = createRateLimiter({ limit: 300, windowMs: MINUTE_MS }, systemClock);
/** Limits load: 256-bit tokens cannot be guessed. */
const perAddress = createRateLimiter({ limit: 60, windowMs: MINUTE_MS }, systemClock);

const SESSION_HEADER = "mcp-session-id";
const PROTOCOL_HEADER = "mcp-protocol-version";

export type Address = { readonly workspace: string; readonly graph: string };

const tokenKeyOf = (authorization: string | null): string => hashToken(readBearer(authorization) ?? "");

const isInitialize = (body: unknown): boolean => {
  const json = jsonSchema.safeParse(body).data;

  return isJsonObject(json) && json["method"] === "initialize";
};

const serve = async (request: Request, caller: Caller, body: unknown): Promise<Response> => {
  const handler = createMcpHandler(() => createServerFor(caller), {
    // One, to acknowledge that nothing is honoured.
    maxSubscriptions: 1,
    onerror: (error) => log().debug({ code: error.name }, "an outside agent's request failed"),
  });

  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
};

const withSession = (response: Response, session: string): Response => {
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, session);

  return new Response(response.body, { status: response.status, headers });
};

/** Protocols before 2026-07-28 begin with a handshake. */
const answer = async (request: Request, caller: Caller): Promise<Response> => {
  const { workspaceId, token, signer, transportSession } = caller;
  if (transportSession !== null && !(await openSession(caller, transportSession))) return respondNotFound();
  if (request.method === "DELETE" && transportSession !== null) {
    await revokeAgentSession(workspaceId, transportSession, token.ownerId, systemClock.now());

    return new Response(null, { status: 204 });
  }
  if (request.method !== "POST") return serve(request, caller, undefined);
  const read = await readJson(request);
  if (!("body" in read)) {
    await recordDenied({ workspaceId, tokenId: token.id, sessionId: transportSession, signer }, "request");

    return respondUnreadable(read.status);
  }
  const objection = findBatchObjection(read.body, request.headers.get(PROTOCOL_HEADER));
  if (objection) {
    await recordDenied({ workspaceId, tokenId: token.id, sessionId: transportSession, signer }, "request");

    return objection;
  }
  // The request counts as its first message.
  const others = Array.isArray(read.body) ? read.body.length - 1 : 0;
  if (others > 0 && !perToken.take(tokenKeyOf(request.headers.get("authorization")), others)) return respondTooMany();
  const response = await serve(request, caller, read.body);
  if (!isInitialize(read.body) || !response.ok) return response;
  const session = await mintSession(caller);

  return session ? withSession(response, session.id) : noSessionLeft(await limitSentence(caller, "sessions"));
};

const guarded = async (request: Request, address: Address): Promise<Response> => {
  const objection = findObjection(request);
  if (objection) return objection;
  const from = getClientNetwork(request.headers.get("x-forwarded-for"));
  const authorization = request.headers.get("authorization");
  // Limited before any lookup.
  if (authorization !== null && !perToken.take(tokenKeyOf(authorization))) return respondTooMany();
  const shown = await authenticate(authorization);
  if (!shown) return perAddress.take(from) ? respondUnauthenticated(new URL(request.url).pathname) : respondTooMany();
  const graph = await findGraphFor(shown, address);
  if (!graph) return respondNotFound();
  const { workspaceId, token, signer } = shown;

  return answer(request, { workspaceId, token, signer, graph, transportSession: request.headers.get(SESSION_HEADER) });
};

export const handleOutside = async (request: Request, address: Address): Promise<Response> => {
  try {
    const response = await guarded(request, address);
    response.headers.set("Cache-Control", "private, no-store");

    return response;
  } catch (error) {
    if (isConnectionError(error)) return respondDatabaseAway();
    log().error({ err: error }, "an outside agent's request could not be answered");

    return respondBroken();
  }
};
