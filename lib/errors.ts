/** Errors leaving a procedure: a stable code and one sentence, mapped to HTTP once. */
import { REFUSALS, type RefusalCode } from "@/lib/refusal";

export const ERRORS = {
  unauthenticated: { http: 401, message: "Sign in to continue." },
  authority_mismatch: { http: 403, message: "Your account's record does not match the database. Ask an operator." },
  step_up_required: { http: 401, message: "Confirm that it is you to go on." },
  forbidden: { http: 403, message: "Your role does not allow this." },
  not_found: { http: 404, message: "There is nothing here under that id." },
  bad_request: { http: 400, message: "The request is not of the expected form." },
  conflict: { http: 409, message: "Somebody saved in the meantime." },
  invalid_graph: { http: 422, message: "The graph has problems that must be solved first." },
  refused: { http: 409, message: "The proposal was refused." },
  rate_limited: { http: 429, message: "Too many attempts; wait a minute." },
  setup_link_invalid: { http: 403, message: "This set-up link is used up or expired; restart to get a new one." },
  invite_invalid: { http: 403, message: "This invite is used up, withdrawn or expired; ask for a new one." },
  egress_blocked: { http: 422, message: "The address is not a public one." },
  manifest_invalid: { http: 422, message: "The server's manifest does not match what is installed." },
  sandbox_missing: { http: 422, message: "This machine does not isolate servers. Allow this one to run without isolation to start it." },
  server_unreachable: { http: 502, message: "The MCP server did not answer." },
  runner_silent: { http: 503, message: "The runner did not answer in time; the command stays queued." },
  database_unreachable: { http: 503, message: "The database does not answer; try again in a moment." },
  internal: { http: 500, message: "Something went wrong on our side." },
} as const satisfies Record<string, { http: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly refusal: RefusalCode | null;

  constructor(code: ErrorCode, options: { message?: string; refusal?: RefusalCode; cause?: unknown } = {}) {
    super(options.message ?? (options.refusal ? REFUSALS[options.refusal].message : ERRORS[code].message), { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.refusal = options.refusal ?? null;
  }
}
