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
  readonly httpStatus: number;
  /** Invalid inputs, without values. */
  readonly issues: readonly ErrorIssue[];
};

// Others are our faults.
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

export const toAppError = (error: TRPCError): AppError => {
  if (error.cause instanceof AppError) return error.cause;
  if (isConnectionError(error.cause)) return new AppError("database_unreachable", { cause: error.cause });

  return new AppError(TRANSPORT_CODES[error.code] ?? "internal", { cause: error.cause ?? error });
};

export const formatError = (error: TRPCError, requestId: string | null): { message: string; data: ErrorData } => {
  const { code, refusal, message } = toAppError(error);

  return {
    // Internal errors may contain anything.
    message: code === "internal" ? ERRORS.internal.message : message,
    data: { code, refusal, requestId, httpStatus: ERRORS[code].http, issues: issuesOf(error) },
  };
};
