/** Appends signed checkpoints to `<folder>/<workspace>.jsonl`, for immutable storage. */
import { open, readdir, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { formatCheckpointLine, parseCheckpointLines } from "@/lib/engine/ledger/checkpoint-lines";
import { goesOn, type CheckpointEntry } from "@/lib/engine/ledger/checkpoint-file";
import type { SignedCheckpoint } from "@/lib/engine/ledger/checkpoint";
import { log } from "@/server/log";
import { countRollback } from "@/server/metrics";
import { findCheckpointAt, listCheckpointsAfter, buildEntrySince, inExportTurn } from "@/server/store/trust/checkpoint-growth";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { listAllWorkspaces, findNewestCheckpoint, type LoggedCheckpoint } from "@/server/store/workspaces/log";

const EVERY_MS = 10_000;
const TAIL_BYTES = 1_048_576;
const AT_ONCE = 500;

class ExportRefused extends Error {
  readonly code: "file_unreadable" | "log_rewritten";

  constructor(code: ExportRefused["code"]) {
    super(code);
    this.name = "ExportRefused";
    this.code = code;
  }
}

const tailOf = async (handle: FileHandle): Promise<string> => {
  const { size } = await handle.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);

  return buffer.toString("utf8");
};

/** An unterminated line is an interrupted write. */
const keptLast = (tail: string): SignedCheckpoint | null => {
  const whole = tail.slice(0, tail.lastIndexOf("\n") + 1);
  const { files, foreign } = parseCheckpointLines(whole);
  const kept = files.at(-1)?.checkpoints[0]?.signed ?? null;
  if (foreign !== null || (!kept && whole.trim() !== "")) throw new ExportRefused("file_unreadable");

  return kept;
};

/** Reads each workspace's newest kept checkpoint. @throws ExportRefused */
export const readKeptCheckpoints = async (folder: string): Promise<readonly SignedCheckpoint[]> => {
  const found: SignedCheckpoint[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jsonl")).toSorted()) {
    const handle = await open(path.join(folder, name), "r");
    try {
      const kept = keptLast(await tailOf(handle));
      if (kept) found.push(kept);
    } finally {
      await handle.close();
    }
  }

  return found;
};

const standing = async (workspaceId: string, kept: SignedCheckpoint): Promise<LoggedCheckpoint> => {
  const stored = await findCheckpointAt(workspaceId, kept.checkpoint.count);
  if (stored?.signed.checkpoint.root !== kept.checkpoint.root || kept.checkpoint.origin !== workspaceId) {
    throw new ExportRefused("log_rewritten");
  }

  return { signed: kept, frontier: stored.frontier };
};

const proved = async (older: LoggedCheckpoint | null, newer: LoggedCheckpoint): Promise<CheckpointEntry> => {
  const entry = await buildEntrySince(older, newer);
  if (!entry || (entry.since && !goesOn(entry.since.signed, entry.signed, entry.since.proof))) throw new ExportRefused("log_rewritten");

  return entry;
};

const toAdd = async (workspaceId: string, older: LoggedCheckpoint | null): Promise<readonly LoggedCheckpoint[]> => {
  if (older) return listCheckpointsAfter(workspaceId, older.signed.checkpoint.count, AT_ONCE);
  const newest = await findNewestCheckpoint(workspaceId);
  const first = newest && (await findCheckpointAt(workspaceId, newest.checkpoint.count));

  return first ? [first] : [];
};

const addTo = async (handle: FileHandle, workspaceId: string): Promise<number> => {
  const tail = await tailOf(handle);
  const kept = keptLast(tail);
  let older = kept && (await standing(workspaceId, kept));
  let separator = tail === "" || tail.endsWith("\n") ? "" : "\n";
  const checkpoints = await toAdd(workspaceId, older);
  const keys = checkpoints.length > 0 ? await listPublicKeys() : {};
  for (const newer of checkpoints) {
    const entry = await proved(older, newer);
    await handle.appendFile(
      separator + formatCheckpointLine({ format: "countersign/checkpoint/v1", checkpoints: [entry], public_keys: keys }),
    );
    await handle.sync();
    older = newer;
    separator = "";
  }

  return checkpoints.length;
};

/** Appends new checkpoints. @param folder must exist: a missing mount must not become local @throws ExportRefused */
export const exportCheckpoints = (folder: string, workspaceId: string): Promise<number> =>
  inExportTurn(workspaceId, async () => {
    const handle = await open(path.join(folder, `${workspaceId}.jsonl`), "a+", 0o600);
    try {
      return await addTo(handle, workspaceId);
    } finally {
      await handle.close();
    }
  });

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";

/** Exports periodically. @param folder null: disabled */
export const startCheckpointExport = (folder: string | null, everyMs = EVERY_MS): { readonly close: () => Promise<void> } => {
  if (folder === null) return { close: async () => undefined };
  const said = new Map<string, string>();
  const add = async (workspace: string): Promise<void> => {
    try {
      await exportCheckpoints(folder, workspace);
      said.delete(workspace);
    } catch (error) {
      const code = codeOf(error);
      if (said.get(workspace) !== code && code === "log_rewritten") countRollback("checkpoint");
      if (said.get(workspace) !== code) log().error({ workspace, code }, "checkpoints are not kept beside the database");
      said.set(workspace, code);
    }
  };
  const look = async (): Promise<void> => {
    for (const workspace of await listAllWorkspaces()) await add(workspace);
  };
  const failed = (): void => log().warn("looking for checkpoints to keep failed");
  let work: Promise<void> = look().catch(failed);
  const timer = setInterval(() => {
    work = work.then(look).catch(failed);
  }, everyMs);

  return {
    close: async () => {
      clearInterval(timer);
      await work;
    },
  };
};
