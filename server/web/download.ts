import { AppError, ERRORS } from "@/lib/errors";
import { isAllowed, type Permission } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { isConnectionError } from "@/server/store/connection-errors";
import { streamText, type Pieces } from "@/server/web/text-stream";

const PRIVATE = { "Cache-Control": "private, no-store" };

export type Asked = { readonly signedIn: () => Promise<SignedIn | null>; readonly requestId: string };

type Download = {
  /** Written as it is read. */
  readonly pieces: Pieces;
  /** Media type without its charset. */
  readonly type: string;
  /** Null: read by a page. */
  readonly name: string | null;
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

/** Answers members with `permission` or the auditor add-on. */
export const answerMember = async (
  { signedIn, requestId }: Asked,
  permission: Permission,
  respond: (member: SignedIn) => Promise<Response>,
): Promise<Response> => {
  try {
    const member = await signedIn();
    if (member === null) throw new AppError("unauthenticated");
    if (!isAllowed(member.role, permission, member.auditor)) throw new AppError("forbidden");

    return await respond(member);
  } catch (error) {
    return denied(toAppError(error, requestId), requestId);
  }
};

export const answerDownload = (
  asked: Asked,
  permission: Permission,
  find: (member: SignedIn) => Download | Promise<Download>,
): Promise<Response> =>
  answerMember(asked, permission, async (member) => {
    const { pieces, type, name } = await find(member);

    return new Response(streamText(pieces, asked.requestId), {
      headers: {
        ...PRIVATE,
        "Content-Type": `${type}; charset=utf-8`,
        "X-Content-Type-Options": "nosniff",
        ...(name === null ? {} : { "Content-Disposition": `attachment; filename="${name}"` }),
      },
    });
  });
