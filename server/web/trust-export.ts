/** Unrecorded: an export has no values, and its readers see the same page. */
import { AppError } from "@/lib/errors";
import { count } from "@/lib/format";
import { filterOfQuery, type TrustFilter } from "@/lib/engine/labels/trust-filter";
import { formatHead, formatLine, TRUST_FORMATS, type TrustFormat } from "@/lib/engine/labels/trust-lines";
import { isMoreThan, listTrust } from "@/server/store/trust/log";
import { answerDownload, type Asked } from "./download";

const PAGE = 1_000;
/** A truncated download would look complete. */
const MOST_EXPORTED = 100_000;

const TYPES = { csv: "text/csv", jsonl: "application/x-ndjson" } as const satisfies Record<TrustFormat, string>;

async function* linesOf(workspaceId: string, filter: TrustFilter, format: TrustFormat, nowMs: number): AsyncGenerator<string> {
  yield formatHead(format);
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listTrust>> = await listTrust(workspaceId, filter, { cursor, limit: PAGE, nowMs });
    yield page.events.map((event) => formatLine(format, event)).join("");
    cursor = page.nextCursor;
  } while (cursor !== null);
}

export const exportTrust = (url: URL, asked: Asked, nowMs: number): Promise<Response> =>
  answerDownload(asked, "trust.export", async ({ workspace: { id: workspaceId } }) => {
    const format = TRUST_FORMATS.find((each) => each === url.searchParams.get("format"));
    const filter = filterOfQuery(url.searchParams);
    if (!format || !filter) throw new AppError("bad_request");
    if (await isMoreThan(MOST_EXPORTED, workspaceId, filter, nowMs)) {
      throw new AppError("bad_request", {
        message: `More than ${count(MOST_EXPORTED)} rows match: choose fewer kinds or a shorter time.`,
      });
    }

    return {
      pieces: linesOf(workspaceId, filter, format, nowMs),
      type: TYPES[format],
      name: `trust-log-${new Date(nowMs).toISOString().slice(0, 10)}.${format}`,
    };
  });
