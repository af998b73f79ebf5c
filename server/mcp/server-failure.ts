import { AppError } from "@/lib/errors";
import { failureMessage, type ProcessFailure } from "@/lib/mcp/process-failure";

/** Cause of AppError("server_unreachable"). */
export class ServerFailure extends Error {
  /** Null: no process of ours. */
  readonly process: ProcessFailure | null;
  /** Of an HTTP answer. */
  readonly status: number | null;

  constructor(message: string, process: ProcessFailure | null, status: number | null = null) {
    super(message);
    this.name = "ServerFailure";
    this.process = process;
    this.status = status;
  }
}

const messageOf = ({ process, status }: ServerFailure): string | null => {
  if (process) return failureMessage(process);

  if (status === null) return null;

  return status >= 300 && status < 400
    ? `The server redirects to another address (HTTP ${status}). Enter that address.`
    : `The server did not answer as an MCP server: HTTP ${status}.`;
};

export const serverUnreachable = (cause: ServerFailure): AppError => {
  const message = messageOf(cause);

  return new AppError("server_unreachable", { ...(message === null ? {} : { message }), cause });
};

export const processFailureOf = (error: unknown): ProcessFailure | null =>
  error instanceof AppError && error.cause instanceof ServerFailure ? error.cause.process : null;

export const statusOf = (error: unknown): number | null =>
  error instanceof AppError && error.cause instanceof ServerFailure ? error.cause.status : null;
