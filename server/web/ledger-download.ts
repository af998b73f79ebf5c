import { ERRORS, type ErrorCode } from "@/lib/errors";
import { isAllowed, type Permission } from "@/lib/roles";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { workspaceLines } from "@/server/store/workspaces/export";
import { catchMismatch } from "./authority";

const streamOf = (lines: AsyncGenerator<string>, requestId: string): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();

  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const next = await lines.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        // A missing last line reveals truncation.
        log().error({ requestId, err: error }, "a workspace's ledger was not read to its end");
        controller.error(new Error("cut off"));
      }
    },
    cancel: async () => {
      await lines.return(undefined);
    },
  });
};

const denied = (code: ErrorCode, requestId: string): Response =>
  Response.json(
    { error: { code, message: ERRORS[code].message, request_id: requestId } },
    { status: ERRORS[code].http, headers: { "Cache-Control": "private, no-store" } },
  );

type Asked = { readonly signedIn: () => Promise<SignedIn | null>; readonly requestId: string };

const answer = async (
  permission: Permission,
  { signedIn, requestId }: Asked,
  headers: Readonly<Record<string, string>>,
): Promise<Response> => {
  const member = await catchMismatch(signedIn(), "authority_mismatch");
  if (member === null) return denied("unauthenticated", requestId);
  if (member === "authority_mismatch") return denied(member, requestId);
  if (!isAllowed(member.role, permission, member.auditor)) return denied("forbidden", requestId);

  return new Response(streamOf(workspaceLines(member.workspace.id), requestId), {
    headers: {
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      ...headers,
    },
  });
};

/** Streams to a verifying browser. */
export const respondLedgerRecords = (asked: Asked): Promise<Response> => answer("run.read", asked, {});

export const respondLedgerDownload = (asked: Asked, nowMs: number): Promise<Response> =>
  answer("ledger.export", asked, {
    "Content-Disposition": `attachment; filename="ledger-${new Date(nowMs).toISOString().slice(0, 10)}.jsonl"`,
  });
