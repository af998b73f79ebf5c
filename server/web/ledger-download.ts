import { workspaceLines } from "@/server/store/workspaces/export";
import { answerDownload, type Asked } from "./download";

const TYPE = "application/x-ndjson";

/** Streams to a verifying browser. */
export const respondLedgerRecords = (asked: Asked): Promise<Response> =>
  answerDownload(asked, "run.read", ({ workspace }) => ({ pieces: workspaceLines(workspace.id), type: TYPE, name: null }));

export const respondLedgerDownload = (asked: Asked, nowMs: number): Promise<Response> =>
  answerDownload(asked, "ledger.export", ({ workspace }) => ({
    pieces: workspaceLines(workspace.id),
    type: TYPE,
    name: `ledger-${new Date(nowMs).toISOString().slice(0, 10)}.jsonl`,
  }));
