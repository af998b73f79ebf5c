import { AppError } from "@/lib/errors";
import { failureMessage, type ProcessFailure } from "@/lib/mcp/process-failure";

/** Cause of AppError("server_unreachable"). */
export class ServerFailure extends Error {
  /** Null: no process of ours. */
  readonly process: ProcessFailure | null;

  constructor(message: string, process: ProcessFailure | null) {
    super(message);
    this.name = "ServerFailure";
    this.process = process;
  }
}

export const serverUnreachable = (cause: ServerFailure): AppError =>
  new AppError("server_unreachable", { ...(cause.process ? { message: failureMessage(cause.process) } : {}), cause });

export const processFailureOf = (error: unknown): ProcessFailure | null =>
  error instanceof AppError && error.cause instanceof ServerFailure ? error.cause.process : null;
