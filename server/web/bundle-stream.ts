import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import type { ExportContent } from "@/lib/engine/ledger/export";
import { answerDownload, type Asked } from "./download";
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
export function* writeBundle({ ledger, ...rest }: ExportContent): Generator<string> {
  const { records, cells, ...beside } = ledger;
  const open = JSON.stringify({ ...rest, signature: null }).slice(0, -1);
  yield `${open},"ledger":${JSON.stringify(beside).slice(0, -1)},"records":`;
  yield* listed(records);
  yield ',"cells":';
  yield* listed(cells);
  yield "}}\n";
}

export const bundleResponse = (runId: string, asked: Asked, nowMs: number): Promise<Response> =>
  answerDownload(asked, "run.read", async ({ user, workspace, role, auditor }) => {
    if (!uuidSchema.safeParse(runId).success) throw new AppError("not_found");
    const content = await exportContent({ workspaceId: workspace.id, userId: user.id, role, auditor }, runId, nowMs);

    return {
      pieces: writeBundle(content),
      type: "application/json",
      name: `run-${runId.slice(0, 8)}-records-${content.ledger.records.length}.json`,
    };
  });
