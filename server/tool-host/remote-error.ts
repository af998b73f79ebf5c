import { AppError, isErrorCode } from "@/lib/errors";
import { processFailureSchema } from "@/lib/mcp/process-failure";
import { RemoteFailure } from "@/server/ipc/errors";
import { ServerFailure } from "@/server/mcp/server-failure";

/** A tool host's failure text is shown to admins and may be hostile. */
const MAX_MESSAGE_CHARS = 500;

export const toAppError = (cause: unknown): AppError => {
  if (cause instanceof AppError) return cause;
  if (!(cause instanceof RemoteFailure) || !isErrorCode(cause.code)) return new AppError("server_unreachable", { cause });

  const message = cause.message.slice(0, MAX_MESSAGE_CHARS);
  const failure = processFailureSchema.safeParse(cause.data);

  return new AppError(cause.code, { message, ...(failure.success ? { cause: new ServerFailure(message, failure.data) } : {}) });
};
