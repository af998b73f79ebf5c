/** Maps SDK errors to fixed messages: a provider's words never reach a record. */
import { APICallError, RetryError } from "ai";
import { AppError } from "@/lib/errors";
import { IdleTimeout } from "./fetch";
import { ModelError } from "@/server/models/contract";

const MAX_RETRY_AFTER_MS = 3_600_000;

export const retryAfterMs = (headers: Readonly<Record<string, string>> | undefined, nowMs: number): number | null => {
  const millis = Number(headers?.["retry-after-ms"] ?? Number.NaN);
  const text = headers?.["retry-after"] ?? "";
  const seconds = text === "" ? Number.NaN : Number(text);
  const wait = [millis, seconds * 1_000, Date.parse(text) - nowMs].find((one) => Number.isFinite(one));

  return wait === undefined ? null : Math.min(Math.max(0, Math.ceil(wait)), MAX_RETRY_AFTER_MS);
};

/** With other statuses, except overload, part of the answer may have been generated. */
const isCleanRefusal = (status: number): boolean => (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 529;

const MEANINGS: Readonly<Record<number, string>> = {
  401: "did not accept the key (status 401)",
  403: "did not accept the key for this (status 403)",
  404: "does not know this model, or there is no such address (status 404)",
};

const causes = (error: unknown): readonly unknown[] => (error instanceof Error ? [error, ...causes(error.cause)] : []);

const isBlocked = (error: unknown): boolean => causes(error).some((one) => one instanceof AppError && one.code === "egress_blocked");

/** No request was sent. */
const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "";

const BROKEN = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"];

/** A connection that broke after the request may have been billed. Others, such as a redirect, are no outage. */
const unreachable = (error: unknown): ModelError => {
  const codes = causes(error).map(codeOf);
  const isUnsent = codes.some((code) => UNSENT.includes(code));

  return new ModelError("model_failed", true, "The model's provider could not be reached.", {
    billed: isUnsent ? "no" : "maybe",
    outage: isUnsent || codes.some((code) => BROKEN.includes(code)) ? "unreachable" : null,
  });
};

const ofApiCall = (error: APICallError, nowMs: number): ModelError => {
  const status = error.statusCode;
  const wait = retryAfterMs(error.responseHeaders, nowMs);
  if (status === 429)
    return new ModelError("model_rate_limited", true, "The model's provider asks to wait.", {
      retryAfterMs: wait,
      billed: "no",
      outage: "rate_limited",
    });
  // Without a status, or cut off in the body.
  if (status === undefined || causes(error).some((one) => BROKEN.includes(codeOf(one)))) return unreachable(error);
  // A proxy's page or a cut connection; retryable.
  if (status < 400)
    return new ModelError("model_failed", true, "The model's provider sent an answer that cannot be read.", { billed: "maybe" });

  return new ModelError(
    "model_failed",
    error.isRetryable,
    `The model's provider ${MEANINGS[status] ?? `answered with status ${status}`}.`,
    {
      retryAfterMs: wait,
      billed: isCleanRefusal(status) ? "no" : "maybe",
      outage: status >= 500 ? "failing" : null,
    },
  );
};

/** @param timedOut our own timer ended the call */
export const toModelError = (error: unknown, timedOut: boolean, nowMs: number): ModelError => {
  if (error instanceof ModelError) return error;
  if (isBlocked(error)) {
    return new ModelError("model_unusable", false, "The provider's address leads to a network that is not open to it.", { billed: "no" });
  }
  if (causes(error).some((one) => one instanceof IdleTimeout)) {
    return new ModelError("model_timeout", true, "The model stopped in the middle of its answer.", { billed: "maybe" });
  }
  if (timedOut) return new ModelError("model_timeout", true, "The model did not answer in time.", { billed: "maybe" });
  if (RetryError.isInstance(error)) return toModelError(error.lastError, timedOut, nowMs);
  if (APICallError.isInstance(error)) return ofApiCall(error, nowMs);

  return new ModelError("model_failed", true, "The model's answer could not be used.", { billed: "maybe" });
};
