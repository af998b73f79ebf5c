/** Requests of programs: bearer tokens only, no cookies, no CORS. */
import { describe } from "@/lib/api/contract";
import { API_PATH } from "@/lib/api/routes";
import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { getClientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { authenticate, type Authenticated } from "@/server/outside/caller";
import { recordDenied } from "@/server/outside/denied";
import { getApiAudience } from "@/server/outside/endpoint";
import { namesToken } from "@/server/outside/request-guard";
import { hashToken } from "@/server/outside/token";
import { readBearer } from "@/server/outside/token-form";
import { createRateLimiter } from "@/server/security/rate-limit";
import { readWaitPlace } from "@/server/waits/wait-token";
import { toAuthor, toReader, type Account } from "./account";
import { answerCall, deferCall } from "./answer";
import { readJsonBody } from "./body";
import { deriveCommand, readKey } from "./idempotency";
import { buildOpenApi } from "./openapi";
import { ApiError, respondProblem, toAppError, toInputError } from "./problem";
import type { AccountOperation } from "./endpoint";
import { findOperations, type Match } from "./table";
import { answerByToken, readWaitAddress } from "./wait-answer";

const MINUTE_MS = 60_000;

const createLimit = (name: string, most: number) => ({
  name,
  most,
  limiter: createRateLimiter({ limit: most, windowMs: MINUTE_MS }, systemClock),
});
type Limit = ReturnType<typeof createLimit>;

const perToken = createLimit("token", 300);
/** Refused answers are records. */
const perWait = createLimit("wait", 10);
/** Limits load: 256-bit tokens cannot be guessed. */
const perAddress = createLimit("address", 60);

type Headers = Record<string, string>;
type AccountMatch = Match & { readonly operation: AccountOperation };

/** As in draft-ietf-httpapi-ratelimit-headers. */
const limitHeaders = ({ name, most, limiter }: Limit, key: string): Headers => {
  const { left, resetMs } = limiter.standing(key);

  return { "RateLimit-Policy": `"${name}";q=${most};w=60`, RateLimit: `"${name}";r=${left};t=${Math.ceil(resetMs / 1_000)}` };
};

const tooMany = (): ApiError => new ApiError("rate_limited", "Too many requests.", { headers: { "Retry-After": "60" } });

const UNAUTHENTICATED = { "WWW-Authenticate": 'Bearer realm="countersign", error="invalid_token"' };

const addressOf = (request: Request): string => getClientNetwork(request.headers.get("x-forwarded-for"));

const identify = async (request: Request): Promise<Authenticated> => {
  const authorization = request.headers.get("authorization");
  const shown = await authenticate(authorization, getApiAudience);
  if (shown) return shown;
  if (!perAddress.limiter.take(addressOf(request))) throw tooMany();
  throw new ApiError("unauthenticated", "A valid bearer token of a service account or a person is needed.", { headers: UNAUTHENTICATED });
};

/** @param inPath the token of an address */
const answerWait = async (request: Request, inPath: string | null): Promise<Response> => {
  const token = inPath ?? readBearer(request.headers.get("authorization")) ?? "";
  const answered = await answerByToken(request, token, inPath !== null);
  if (answered) return answered;
  if (!perAddress.limiter.take(addressOf(request))) throw tooMany();
  throw new ApiError("unauthenticated", "The token of a wait is needed.", { headers: UNAUTHENTICATED });
};

const demandScope = async ({ workspaceId, token, signer }: Authenticated, { operation }: AccountMatch): Promise<void> => {
  const { scope } = describe(operation);
  if (scope !== null && token.scopes.includes(scope)) return;
  await recordDenied({ workspaceId, tokenId: token.id, sessionId: null, signer }, "request");
  throw new AppError("refused", { refusal: "scope_missing" });
};

const readQuery = (url: URL): Record<string, string> => {
  const names = [...url.searchParams.keys()];
  if (new Set(names).size !== names.length) throw new AppError("bad_request", { message: "A query parameter occurs twice." });

  return Object.fromEntries(url.searchParams);
};

const readInput = async (request: Request, { operation, params }: AccountMatch) => {
  const { query, body } = describe(operation);
  if (!Object.values(params).every((id) => uuidSchema.safeParse(id).success)) throw new AppError("not_found");
  const given = readQuery(new URL(request.url));
  const parsedQuery = query?.safeParse(given);
  if (parsedQuery?.success === false) throw toInputError(parsedQuery.error);
  if (!query && Object.keys(given).length > 0) throw new AppError("bad_request", { message: "This operation has no query parameters." });
  const { text, value } = body ? await readJsonBody(request) : { text: "", value: null };
  const parsedBody = body?.safeParse(value);
  if (parsedBody?.success === false) throw toInputError(parsedBody.error);

  return { params, text, query: parsedQuery?.data, body: parsedBody?.data };
};

/** RFC 7240. */
const prefersAsync = (request: Request): boolean =>
  (request.headers.get("prefer") ?? "").split(",").some((preference) => preference.split(";")[0]?.trim().toLowerCase() === "respond-async");

const stillAllowed = (request: Request) => async (): Promise<boolean> =>
  (await authenticate(request.headers.get("authorization"), getApiAudience)) !== null;

const answer = async (request: Request, requestId: string, found: AccountMatch): Promise<Response> => {
  const shown = await identify(request);
  await demandScope(shown, found);
  const { text, ...input } = await readInput(request, found);
  const account: Account = {
    ...shown,
    author: toAuthor(shown),
    reader: toReader(shown),
    requestId,
    signal: request.signal,
    isStillAllowed: stillAllowed(request),
  };
  const path = new URL(request.url).pathname;
  const shownKey = describe(found.operation).body ? request.headers.get("idempotency-key") : null;
  const key = readKey(shown, shownKey, { ...found, path, body: text });
  const isDeferred = describe(found.operation).defers === true && prefersAsync(request);
  const deferred = isDeferred ? await deferCall(found.operation, { ...input, account, key }) : null;
  if (deferred) return deferred;
  const command = await deriveCommand(shown, key);
  const file = describe(found.operation).takesFile ? request : undefined;

  return answerCall(found.operation, { ...input, file, account, command });
};

const route = async (request: Request, requestId: string, path: readonly string[]): Promise<Response> => {
  const isDocument = path.join("/") === "openapi.json";
  const waitToken = readWaitAddress(path);
  const operations = findOperations(waitToken === null ? path : ["waits", "answer"]);
  if (!isDocument && operations.size === 0) throw new AppError("not_found");
  const methods = isDocument ? ["GET"] : [...operations.keys()];
  const allow = { Allow: [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ") };
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: allow });
  const method = request.method === "HEAD" ? "GET" : request.method;
  if (!methods.includes(method)) {
    throw new ApiError("bad_request", `${request.method} is not possible here.`, { status: 405, headers: allow });
  }
  if (isDocument) return Response.json(buildOpenApi());
  const found = operations.get(method);
  if (!found) throw new AppError("not_found");
  const { operation } = found;

  return operation === "answerWaitByToken" ? answerWait(request, waitToken) : answer(request, requestId, { ...found, operation });
};

export const handleApi = async (request: Request): Promise<Response> => {
  const requestId = systemClock.id();
  const url = new URL(request.url);
  const path = url.pathname.slice(API_PATH.length + 1).split("/");
  const token = readWaitAddress(path) ?? readBearer(request.headers.get("authorization"));
  const key = token === null ? null : hashToken(token);
  const limited = token !== null && readWaitPlace(token) ? perWait : perToken;
  const headers: Headers = { "Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff", "X-Request-Id": requestId };
  const respond = async (): Promise<Response> => {
    try {
      if (namesToken(url)) {
        throw new AppError("bad_request", { message: "A token does not belong into the address: revoke it, and send one in the header." });
      }
      if (key !== null && !limited.limiter.take(key)) throw tooMany();

      return await route(request, requestId, path);
    } catch (error) {
      const problem = toAppError(error);
      if (problem.code === "internal") log().error({ requestId, err: error }, "an API request could not be answered");

      return respondProblem(problem, requestId);
    }
  };
  const response = await respond();
  const limits = key === null ? limitHeaders(perAddress, addressOf(request)) : limitHeaders(limited, key);
  for (const [name, value] of Object.entries({ ...headers, ...limits })) response.headers.set(name, value);
  if (request.method !== "HEAD") return response;
  await response.body?.cancel();

  return new Response(null, { status: response.status, headers: response.headers });
};
