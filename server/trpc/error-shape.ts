/** What a client learns of an error: a stable code, one sentence, the request's id. Everything else stays in the log. */
import type { TRPCError } from "@trpc/server";
import { ZodError } from "zod";
import { AppError, ERRORS, type ErrorCode } from "@/lib/errors";
import type { RefusalCode } from "@/lib/refusal";
import { isConnectionError } from "@/server/store/connection-errors";

export type ErrorIssue = { readonly path: string; readonly message: string };

export type ErrorData = {
  readonly code: ErrorCode;
  readonly refusal: RefusalCode | null;
  readonly requestId: string | null;
  /** Read by tRPC to set the status of the response. */
  readonly httpStatus: number;
  /** Which inputs were wrong. Paths and rules, never the values. */
  readonly issues: readonly ErrorIssue[];
};

// What tRPC itself raises before a procedure is reached; everything not listed is a fault of ours.
const TRANSPORT_CODES: Partial<Record<TRPCError["code"], ErrorCode>> = {
  PARSE_ERROR: "bad_request",
  BAD_REQUEST: "bad_request",
  METHOD_NOT_SUPPORTED: "bad_request",
  UNSUPPORTED_MEDIA_TYPE: "bad_request",
  PAYLOAD_TOO_LARGE: "bad_request",
  NOT_FOUND: "not_found",
  UNAUTHORIZED: "unauthenticated",
  FORBIDDEN: "forbidden",
  TOO_MANY_REQUESTS: "rate_limited",
};

const issuesOf = (error: TRPCError): readonly ErrorIssue[] => {
  if (error.code !== "BAD_REQUEST" || !(error.cause instanceof ZodError)) return [];

  return error.cause.issues.slice(0, 50).map((issue) => ({ path: issue.path.join("."), message: issue.message }));
};

/** The error as our own. A fault without a code is `internal`. */
export const appErrorOf = (error: TRPCError): AppError => {
  if (error.cause instanceof AppError) return error.cause;
  if (isConnectionError(error.cause)) return new AppError("database_unreachable", { cause: error.cause });

  return new AppError(TRANSPORT_CODES[error.code] ?? "internal", { cause: error.cause ?? error });
};

/** Message and data of the error as they leave the server. */
export const errorShape = (error: TRPCError, requestId: string | null): { message: string; data: ErrorData } => {
  const { code, refusal, message } = appErrorOf(error);

  return {
    // An internal fault's own words may hold anything; the fixed sentence is all that leaves.
    message: code === "internal" ? ERRORS.internal.message : message,
    data: { code, refusal, requestId, httpStatus: ERRORS[code].http, issues: issuesOf(error) },
  };
};
