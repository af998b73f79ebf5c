/** Unrecorded: an export has no values, and its readers see the same page. */
import { ERRORS, type ErrorCode } from "@/lib/errors";
import { count } from "@/lib/format";
import { isAllowed } from "@/lib/roles";
import { filterOfQuery, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { formatHead, formatLine, TRUST_FORMATS, type TrustFormat } from "@/lib/engine/labels/trust-lines";
import type { SignedIn } from "@/server/auth/signed-in";
import { isMoreThan, listTrust } from "@/server/store/trust/log";
import { catchMismatch } from "./authority";

const PAGE = 1_000;
/** A truncated download would look complete. */
const MOST_EXPORTED = 100_000;

const CONTENT = { csv: "text/csv; charset=utf-8", jsonl: "application/x-ndjson; charset=utf-8" } as const satisfies Record<
  TrustFormat,
  string
>;

async function* linesOf(workspaceId: string, filter: TrustFilter, format: TrustFormat, nowMs: number): AsyncGenerator<string> {
  yield formatHead(format);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listTrust>> = await listTrust(workspaceId, filter, { cursor, limit: PAGE, nowMs });
    yield page.events.map((event) => formatLine(format, event)).join("");
    cursor = page.nextCursor;
  } while (cursor !== null);
}

const streamOf = (lines: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();

  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await lines.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel: async () => {
      await lines.return(undefined);
    },
  });
};

const denied = (code: ErrorCode, requestId: string, message: string = ERRORS[code].message): Response =>
  Response.json(
    { error: { code, message, request_id: requestId } },
    { status: ERRORS[code].http, headers: { "Cache-Control": "private, no-store" } },
  );

type Request = { readonly signedIn: () => Promise<SignedIn | null>; readonly requestId: string };

export const exportTrust = async (url: URL, { signedIn, requestId }: Request, nowMs: number): Promise<Response> => {
  const member = await catchMismatch(signedIn(), "authority_mismatch");
  if (member === null) return denied("unauthenticated", requestId);
  if (member === "authority_mismatch") return denied(member, requestId);
  if (!isAllowed(member.role, "trust.export", member.auditor)) return denied("forbidden", requestId);
  const format = TRUST_FORMATS.find((each) => each === url.searchParams.get("format"));
  const filter = filterOfQuery(url.searchParams);
  if (!format || !filter) return denied("bad_request", requestId);
  const { id: workspaceId } = member.workspace;
  if (await isMoreThan(MOST_EXPORTED, workspaceId, filter, nowMs)) {
    return denied("bad_request", requestId, `More than ${count(MOST_EXPORTED)} rows match: choose fewer kinds or a shorter time.`);
  }

  return new Response(streamOf(linesOf(workspaceId, filter, format, nowMs)), {
    headers: {
      "Content-Type": CONTENT[format],
      "Content-Disposition": `attachment; filename="trust-log-${new Date(nowMs).toISOString().slice(0, 10)}.${format}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
};
