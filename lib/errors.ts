import { REFUSALS, type RefusalCode } from "@/lib/refusal";

export const ERRORS = {
  unauthenticated: { http: 401, message: "Sign in to continue." },
  authority_mismatch: { http: 403, message: "Your account's record doesn't match the database. Ask an operator." },
  step_up_required: { http: 401, message: "Confirm your identity to continue." },
  forbidden: { http: 403, message: "Your role doesn't allow this." },
  workspace_changed: { http: 409, message: "You switched to another workspace in this browser. This tab still shows the previous one." },
  not_found: { http: 404, message: "Not found: it doesn't exist, or you don't have access to it." },
  bad_request: { http: 400, message: "The request is invalid." },
  conflict: { http: 409, message: "Someone else saved changes. Reload and try again." },
  invalid_graph: { http: 422, message: "The graph has problems. Fix them first." },
  refused: { http: 409, message: "The proposal was refused." },
  rate_limited: { http: 429, message: "Too many attempts. Wait a minute and try again." },
  setup_link_invalid: { http: 403, message: "This set-up link was used or has expired. Restart to get a new one." },
  invite_invalid: { http: 403, message: "This invite was used, withdrawn or has expired. Ask for a new one." },
  egress_blocked: { http: 422, message: "The address is not public." },
  manifest_invalid: { http: 422, message: "The server's manifest doesn't match the installed package." },
  sandbox_missing: { http: 422, message: "This machine can't isolate servers. To start this one, allow it to run without isolation." },
  server_unreachable: { http: 502, message: "The MCP server did not respond." },
  runner_silent: { http: 503, message: "The runner did not respond in time. The command stays queued." },
  database_unreachable: { http: 503, message: "The database is not responding. Try again in a moment." },
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
