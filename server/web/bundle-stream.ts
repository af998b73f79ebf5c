import { AppError, ERRORS } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { isAllowed } from "@/lib/roles";
import type { ExportContent } from "@/lib/engine/ledger/export";
import type { SignedIn } from "@/server/auth/signed-in";
import { log } from "@/server/log";
import { isConnectionError } from "@/server/store/connection-errors";
import { exportContent } from "./export-run";

const AT_ONCE = 200;

function* listed(items: readonly unknown[]): Generator<string> {
  yield "[";
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const some = items.slice(from, from + AT_ONCE).map((item) => JSON.stringify(item));
    yield `${from === 0 ? "" : ","}${some.join(",")}`;
  }
  yield "]";
}

/** A few hundred records or cells at a time. */
function* textOf({ ledger, ...rest }: ExportContent): Generator<string> {
  const { records, cells, ...beside } = ledger;
  const open = JSON.stringify({ ...rest, signature: null }).slice(0, -1);
  yield `${open},"ledger":${JSON.stringify(beside).slice(0, -1)},"records":`;
  yield* listed(records);
  yield ',"cells":';
  yield* listed(cells);
  yield "}}\n";
}

const streamOf = (pieces: Generator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();

  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
  });
};

const denied = ({ code, message }: AppError, requestId: string): Response =>
  Response.json(
    { error: { code, message, request_id: requestId } },
    { status: ERRORS[code].http, headers: { "Cache-Control": "private, no-store" } },
  );

type Asked = { readonly signedIn: () => Promise<SignedIn | null>; readonly requestId: string };

const contentFor = async (runId: string, member: SignedIn | null, nowMs: number): Promise<ExportContent> => {
  if (member === null) throw new AppError("unauthenticated");
  if (!isAllowed(member.role, "run.read", member.auditor)) throw new AppError("forbidden");
  if (!uuidSchema.safeParse(runId).success) throw new AppError("not_found");
  const { user, workspace, role, auditor } = member;

  return exportContent({ workspaceId: workspace.id, userId: user.id, role, auditor }, runId, nowMs);
};

export const bundleResponse = async (runId: string, { signedIn, requestId }: Asked, nowMs: number): Promise<Response> => {
  try {
    const content = await contentFor(runId, await signedIn(), nowMs);

    return new Response(streamOf(textOf(content)), {
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": `attachment; filename="run-${runId.slice(0, 8)}-records-${content.ledger.records.length}.json"`,
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
      },
    });
  } catch (error) {
    if (error instanceof AppError) return denied(error, requestId);
    if (isConnectionError(error)) return denied(new AppError("database_unreachable"), requestId);
    // Faults may contain anything.
    log().error({ requestId, run: runId, err: error }, "a bundle was not made");

    return denied(new AppError("internal"), requestId);
  }
};
