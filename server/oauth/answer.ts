import { AppError } from "@/lib/errors";
import { getClientNetwork } from "@/server/auth/client-address";
import { systemClock } from "@/server/clock";
import { log } from "@/server/log";
import { createRateLimiter, type RateLimiter } from "@/server/security/rate-limit";
import { isConnectionError } from "@/server/store/connection-errors";

const MINUTE_MS = 60_000;

export class OauthError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = "OauthError";
    this.code = code;
    this.status = status;
  }
}

const NO_STORE = { "Cache-Control": "no-store" };

export const respond = (body: object, status = 200): Response => Response.json(body, { status, headers: NO_STORE });

const toOauthError = (error: unknown): OauthError => {
  if (error instanceof OauthError) return error;
  if (isConnectionError(error) || (error instanceof AppError && error.code === "runner_silent"))
    return new OauthError("temporarily_unavailable", "Try again in a moment.", 503);
  if (error instanceof AppError && error.code === "bad_request") return new OauthError("invalid_request", error.message);
  log().error({ err: error }, "an OAuth request could not be answered");

  return new OauthError("server_error", "Something went wrong on our side.", 500);
};

export const limitPerMinute = (limit: number): RateLimiter => createRateLimiter({ limit, windowMs: MINUTE_MS }, systemClock);

export const takeAttempt = (limiter: RateLimiter, request: Request): void => {
  if (!limiter.take(getClientNetwork(request.headers.get("x-forwarded-for"))))
    throw new OauthError("temporarily_unavailable", "Too many requests; wait a minute.", 429);
};

export const answerProgram = async (work: () => Promise<Response>): Promise<Response> => {
  try {
    return await work();
  } catch (error) {
    const { code, message, status } = toOauthError(error);
    const retry = status === 429 || status === 503 ? { "Retry-After": "60" } : {};

    return Response.json({ error: code, error_description: message }, { status, headers: { ...NO_STORE, ...retry } });
  }
};

export const readParameters = (parameters: URLSearchParams): Readonly<Record<string, string>> => {
  const names = [...parameters.keys()];
  if (new Set(names).size !== names.length) throw new OauthError("invalid_request", "A parameter occurs twice.");

  return Object.fromEntries(parameters);
};
