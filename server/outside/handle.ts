/** One HTTP request of an outside agent. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { isJsonObject, jsonSchema } from "@/lib/json";
import { clientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { createRateLimiter } from "@/server/security/rate-limit";
import { revokeAgentSession } from "@/server/store/agents/sessions";
import { isConnectionError } from "@/server/store/connection-errors";
import { authenticate, graphFor, type Caller } from "./caller";
import { recordDenied } from "./denied";
import {
  batchObjection,
  broken,
  databaseAway,
  notFound,
  objectionTo,
  readJson,
  noSessionLeft,
  tooMany,
  unauthenticated,
  unreadable,
} from "./request-guard";
import { serverFor } from "./server";
import { mintSession, openSession } from "./session";
import { limitSentence } from "./token-limits";
import { tokenHash } from "./token";
import { bearerIn } from "./token-form";

const MINUTE_MS = 60_000;

/** Messages per process, counting each in a batch; above any agent's loop. */
const perToken = createRateLimiter({ limit: 300, windowMs: MINUTE_MS }, systemClock);
/** Limits load: 256-bit tokens cannot be guessed. */
const perAddress = createRateLimiter({ limit: 60, windowMs: MINUTE_MS }, systemClock);

const SESSION_HEADER = "mcp-session-id";
const PROTOCOL_HEADER = "mcp-protocol-version";

export type Address = { readonly workspace: string; readonly graph: string };

const tokenKeyOf = (authorization: string | null): string => tokenHash(bearerIn(authorization) ?? "");

const isInitialize = (body: unknown): boolean => {
  const json = jsonSchema.safeParse(body).data;

  return isJsonObject(json) && json["method"] === "initialize";
};

/** The SDK keeps no state between requests: each has its own server. */
const serve = async (request: Request, caller: Caller, body: unknown): Promise<Response> => {
  const handler = createMcpHandler(() => serverFor(caller), {
    // No announcements, so no subscriptions.
    maxSubscriptions: 0,
    onerror: (error) => log().debug({ code: error.name }, "an outside agent's request failed"),
  });

  return handler.fetch(request, body === undefined ? {} : { parsedBody: body });
};

const withSession = (response: Response, session: string): Response => {
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, session);

  return new Response(response.body, { status: response.status, headers });
};

/** Protocols before 2026-07-28 begin with a handshake and name its session afterwards. */
const answer = async (request: Request, caller: Caller): Promise<Response> => {
  const { workspaceId, token, signer, transportSession } = caller;
  if (transportSession !== null && !(await openSession(caller, transportSession))) return notFound();
  if (request.method === "DELETE" && transportSession !== null) {
    await revokeAgentSession(workspaceId, transportSession, token.ownerId, systemClock.now());

    return new Response(null, { status: 204 });
  }
  if (request.method !== "POST") return serve(request, caller, undefined);
  const read = await readJson(request);
  if (!("body" in read)) {
    await recordDenied({ workspaceId, tokenId: token.id, sessionId: transportSession, signer }, "request");

    return unreadable(read.status);
  }
  const objection = batchObjection(read.body, request.headers.get(PROTOCOL_HEADER));
  if (objection) {
    await recordDenied({ workspaceId, tokenId: token.id, sessionId: transportSession, signer }, "request");

    return objection;
  }
  // The request counts as its first message.
  const others = Array.isArray(read.body) ? read.body.length - 1 : 0;
  if (others > 0 && !perToken.take(tokenKeyOf(request.headers.get("authorization")), others)) return tooMany();
  const response = await serve(request, caller, read.body);
  if (!isInitialize(read.body) || !response.ok) return response;
  const session = await mintSession(caller);

  return session ? withSession(response, session.id) : noSessionLeft(await limitSentence(caller, "sessions"));
};

const guarded = async (request: Request, address: Address): Promise<Response> => {
  const objection = objectionTo(request);
  if (objection) return objection;
  const from = clientNetwork(request.headers.get("x-forwarded-for"));
  const authorization = request.headers.get("authorization");
  // Limited before any lookup.
  if (authorization !== null && !perToken.take(tokenKeyOf(authorization))) return tooMany();
  const shown = await authenticate(authorization);
  if (!shown) return perAddress.take(from) ? unauthenticated(new URL(request.url).pathname) : tooMany();
  const graph = await graphFor(shown, address);
  if (!graph) return notFound();
  const { workspaceId, token, signer } = shown;

  return answer(request, { workspaceId, token, signer, graph, transportSession: request.headers.get(SESSION_HEADER) });
};

/** Handles a request to a graph's endpoint. Our own faults are not described. */
export const handleOutside = async (request: Request, address: Address): Promise<Response> => {
  try {
    const response = await guarded(request, address);
    response.headers.set("Cache-Control", "private, no-store");

    return response;
  } catch (error) {
    if (isConnectionError(error)) return databaseAway();
    log().error({ err: error }, "an outside agent's request could not be answered");

    return broken();
  }
};
