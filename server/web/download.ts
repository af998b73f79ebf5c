import { AppError, ERRORS } from "@/lib/errors";
import { isAllowed, type Permission } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { isConnectionError } from "@/server/store/connection-errors";

const PRIVATE = { "Cache-Control": "private, no-store" };

export type Asked = { readonly signedIn: () => Promise<SignedIn | null>; readonly requestId: string };

type Download = {
  /** Written as it is read. */
  readonly pieces: Iterator<string> | AsyncIterator<string>;
  /** Media type without its charset. */
  readonly type: string;
  /** Null: read by a page. */
  readonly name: string | null;
};

const streamOf = (pieces: Download["pieces"], requestId: string): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();

  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const next = await pieces.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        // A missing last line reveals truncation.
        log().error({ requestId, err: error }, "a download was not read to its end");
        controller.error(new Error("cut off"));
      }
    },
    cancel: async () => {
      await pieces.return?.(undefined);
    },
  });
};

const denied = ({ code, message }: AppError, requestId: string): Response =>
  Response.json({ error: { code, message, request_id: requestId } }, { status: ERRORS[code].http, headers: PRIVATE });

const toAppError = (error: unknown, requestId: string): AppError => {
  if (error instanceof AppError) return error;
  if (isConnectionError(error)) return new AppError("database_unreachable");
  // Faults may contain anything.
  log().error({ requestId, err: error }, "a download was not made");

  return new AppError("internal");
};

/** Streams what `find` returns to members with `permission` or the auditor add-on; `find` may throw an AppError. */
export const answerDownload = async (
  { signedIn, requestId }: Asked,
  permission: Permission,
  find: (member: SignedIn) => Download | Promise<Download>,
): Promise<Response> => {
  try {
    const member = await signedIn();
    if (member === null) throw new AppError("unauthenticated");
    if (!isAllowed(member.role, permission, member.auditor)) throw new AppError("forbidden");
    const { pieces, type, name } = await find(member);

    return new Response(streamOf(pieces, requestId), {
      headers: {
        ...PRIVATE,
        "Content-Type": `${type}; charset=utf-8`,
        "X-Content-Type-Options": "nosniff",
        ...(name === null ? {} : { "Content-Disposition": `attachment; filename="${name}"` }),
      },
    });
  } catch (error) {
    return denied(toAppError(error, requestId), requestId);
  }
};
