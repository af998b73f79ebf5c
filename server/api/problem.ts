/** Problem details (RFC 9457). */
import { z } from "zod";
import type { Problem } from "@/lib/api/resources";
import { AppError, ERRORS } from "@/lib/errors";
import type { RefusalCode } from "@/lib/refusal";
import { isConnectionError } from "@/server/store/connection-errors";

type Extra = {
  readonly refusal?: RefusalCode;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly issues?: Problem["issues"];
};

export class ApiError extends AppError {
  readonly extra: Extra;

  constructor(code: AppError["code"], message: string, extra: Extra) {
    super(code, { message, ...(extra.refusal ? { refusal: extra.refusal } : {}) });
    this.name = "ApiError";
    this.extra = extra;
  }
}

const MOST_ISSUES = 50;

export const toInputError = (error: z.ZodError): ApiError =>
  new ApiError("bad_request", ERRORS.bad_request.message, {
    status: 422,
    issues: error.issues.slice(0, MOST_ISSUES).map(({ path, message }) => ({ path: path.join("."), message })),
  });

/** Null: the first page. @throws ApiError */
export const readCursor = (schema: z.ZodType<string>, cursor: string | undefined): string | null => {
  if (cursor === undefined) return null;
  const parsed = z.object({ cursor: schema }).safeParse({ cursor });
  if (!parsed.success) throw toInputError(parsed.error);

  return parsed.data.cursor;
};

const STATUSES: Partial<Record<RefusalCode, number>> = {
  not_found: 404,
  approval_unknown: 404,
  scope_missing: 403,
  principal_not_allowed: 403,
  role_missing: 403,
  inputs_invalid: 422,
  token_run_limit: 429,
  token_session_limit: 429,
  token_cost_limit: 429,
};

export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;

  return new AppError(isConnectionError(error) ? "database_unreachable" : "internal", { cause: error });
};

export const respondProblem = (error: AppError, requestId: string, headers: Record<string, string> = {}): Response => {
  const { code, refusal } = error;
  const extra: Extra = error instanceof ApiError ? error.extra : {};
  const status = extra.status ?? (refusal && STATUSES[refusal]) ?? ERRORS[code].http;
  const problem: Problem = {
    type: `urn:countersign:error:${refusal ?? code}`,
    // Faults of ours may contain anything.
    title: code === "internal" ? ERRORS.internal.message : error.message,
    status,
    code,
    refusal,
    requestId,
    issues: extra.issues ?? [],
  };

  return Response.json(problem, { status, headers: { ...headers, ...extra.headers, "Content-Type": "application/problem+json" } });
};
