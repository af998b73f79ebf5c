import { AppError, ERRORS } from "@/lib/errors";
import type { RefusalCode } from "@/lib/refusal";
import { badRequest, ScimError, toErrorBody } from "@/lib/scim/error";
import { log } from "@/server/log";
import { isConnectionError } from "@/server/store/connection-errors";

export const respondScim = (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/scim+json", "Cache-Control": "no-store", ...headers },
  });

const REFUSED: Partial<Record<RefusalCode, readonly [number, ScimError["scimType"]]>> = {
  not_found: [404, null],
  person_known: [409, "uniqueness"],
  group_name_taken: [409, "uniqueness"],
  person_changed: [412, null],
  group_changed: [412, null],
  directory_limit: [413, "tooMany"],
  directory_member_unknown: [400, "invalidValue"],
  malformed: [400, "invalidValue"],
  last_admin: [403, null],
  principal_not_allowed: [401, null],
  projection_mismatch: [500, null],
  authority_unverified: [500, null],
};

const toScimError = (error: unknown): ScimError => {
  if (error instanceof ScimError) return error;
  if (isConnectionError(error)) return new ScimError(503, null, ERRORS.database_unreachable.message);
  if (error instanceof AppError) {
    if (error.code === "bad_request") return badRequest("invalidSyntax", error.message);
    const [status, scimType] = (error.refusal && REFUSED[error.refusal]) ?? [ERRORS[error.code].http, null];

    return new ScimError(status, scimType, error.message);
  }
  log().error({ err: error }, "a SCIM request could not be answered");

  return new ScimError(500, null, ERRORS.internal.message);
};

export const respondScimError = (error: unknown): Response => {
  const known = toScimError(error);
  const retry = known.status === 429 || known.status === 503 ? { "Retry-After": "60" } : {};
  const challenge = known.status === 401 ? { "WWW-Authenticate": 'Bearer realm="countersign-scim", error="invalid_token"' } : {};

  return respondScim(toErrorBody(known), known.status, { ...retry, ...challenge });
};
