import { DEFAULT_SCOPES } from "@/lib/outside/oauth-grant";
import { AppError, ERRORS } from "@/lib/errors";
import { guardOrigin, readBody } from "@/server/security/request-guard";
import { getMetadataUrl } from "./endpoint";

/** JSON-RPC's server range; it has no codes for HTTP refusals. */
const REFUSED = -32_000;
const NOT_FOUND = -32_001;
const PARSE_ERROR = -32_700;

const failure = (status: number, code: number, message: string, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status, headers: { "Cache-Control": "no-store", ...headers } });

export const respondNotFound = (): Response => failure(404, NOT_FOUND, "There is nothing here under that address.");

export const respondTooMany = (): Response => failure(429, REFUSED, "Too many requests; wait a minute.", { "Retry-After": "60" });

/** @param room_at ISO 8601 time of the next place */
export const noSessionLeft = ({ message, room_at: at }: { readonly message: string; readonly room_at: string | null }): Response =>
  failure(429, REFUSED, message, at === null ? {} : { "Retry-After": new Date(at).toUTCString() });

export const respondBroken = (): Response => failure(500, -32_603, "Something went wrong on our side.");

export const respondDatabaseAway = (): Response => failure(503, REFUSED, ERRORS.database_unreachable.message, { "Retry-After": "5" });

export const respondUnreadable = (status: 400 | 413): Response =>
  status === 413
    ? failure(413, REFUSED, "The body is larger than 1 MiB.")
    : failure(400, PARSE_ERROR, "The body is not JSON, or it is nested too deeply.");

/** Batches run in parallel; clients send a handful. */
const MAX_BATCH = 16;

/** Last protocol with batches; assumed without a version header. */
const BATCHING = "2025-03-26";

export const findBatchObjection = (body: unknown, protocol: string | null): Response | null => {
  if (!Array.isArray(body)) return null;
  if (protocol !== null && protocol > BATCHING)
    return failure(400, -32_600, "This protocol version has no batches: send one message at a time.");

  return body.length > MAX_BATCH ? failure(400, -32_600, `A batch has at most ${MAX_BATCH} messages.`) : null;
};

export const respondUnauthenticated = (path: string): Response =>
  failure(401, REFUSED, "A valid bearer token is needed.", {
    "WWW-Authenticate": `Bearer realm="countersign", error="invalid_token", resource_metadata="${getMetadataUrl(path)}", scope="${DEFAULT_SCOPES.join(" ")}"`,
  });

/** Addresses are logged, cached and forwarded: a token in one is compromised. */
export const namesToken = (url: URL): boolean =>
  [...url.searchParams].some(([name, value]) => /token|authorization|bearer|api_?key/i.test(name) || value.includes("cs_"));

/** Returns a request's fault, or null. Foreign pages cannot choose their Origin. */
export const findObjection = (request: Request): Response | null => {
  if (namesToken(new URL(request.url)))
    return failure(400, REFUSED, "A token does not belong into the address: revoke it, and send one in the Authorization header.");
  if (!request.headers.has("origin")) return null;
  try {
    guardOrigin(request.headers);
  } catch (error) {
    if (error instanceof AppError) return failure(403, REFUSED, "The request comes from another origin.");
    throw error;
  }

  return null;
};

export const readJson = async (request: Request): Promise<{ readonly body: unknown } | { readonly status: 400 | 413 }> => {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > 1_048_576) return { status: 413 };
  try {
    return { body: JSON.parse(await readBody(request.body)) as unknown };
  } catch (error) {
    return { status: error instanceof AppError && error.message.includes("larger") ? 413 : 400 };
  }
};
