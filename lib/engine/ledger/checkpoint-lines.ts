/** Checkpoint history: one file per line. */
import {
  findCheckpointFileFault,
  checkpointFileSchema,
  type CheckpointFile,
  type CheckpointFileFault,
} from "@/lib/engine/ledger/checkpoint-file";
import { toCanonicalJson, type JsonLimits } from "@/lib/json";
import { linesOf, readJsonText } from "@/lib/json-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";

export const formatCheckpointLine = (file: CheckpointFile): string => `${JSON.stringify(file)}\n`;

const LINE_LIMITS: JsonLimits = { maxBytes: 4 * 1_048_576, maxDepth: 32 };
const MOST_LINES = 1_000_000;

/** `torn`: half written. `foreign`: no checkpoint. */
const parsed = (line: string): CheckpointFile | "torn" | "foreign" => {
  const read = readJsonText(line, LINE_LIMITS);
  if (!read.ok) return read.error === "no_json" ? "torn" : "foreign";
  const file = checkpointFileSchema.safeParse(read.value);

  return file.success && file.data.checkpoints.length === 1 ? file.data : "foreign";
};

export type CheckpointLines = {
  readonly files: readonly CheckpointFile[];
  /** Half written by a crash; harmless unless the chain breaks. */
  readonly torn: number;
  /** Lines count from 1. */
  readonly foreign: number | null;
};

export const parseCheckpointLines = (text: string): CheckpointLines => {
  const files: CheckpointFile[] = [];
  let [torn, count] = [0, 0];
  for (const line of linesOf(text)) {
    if (line.trim() === "") continue;
    count += 1;
    const read = count > MOST_LINES ? "foreign" : parsed(line);
    if (read === "foreign") return { files, torn, foreign: count };
    if (read === "torn") torn += 1;
    else files.push(read);
  }

  return { files, torn, foreign: null };
};

export type CheckpointLinesFault = {
  readonly reason: CheckpointFileFault["reason"] | "not_linked";
  readonly workspace: string;
  /** Counts from 1, without torn lines. */
  readonly line: number;
};

/** Returns the lines' first fault, or null. */
export const findCheckpointLinesFault = async (
  files: readonly CheckpointFile[],
  keysOf: (file: CheckpointFile) => PublicKeys,
): Promise<CheckpointLinesFault | null> => {
  let before: CheckpointFile["checkpoints"][number] | undefined;
  for (const [index, file] of files.entries()) {
    const [entry] = file.checkpoints;
    const fault = await findCheckpointFileFault(file, keysOf(file));
    if (fault) return { ...fault, line: index + 1 };
    if (!entry) continue;
    const goesOn = !before || (entry.since !== null && toCanonicalJson(entry.since.signed) === toCanonicalJson(before.signed));
    if (!goesOn) return { reason: "not_linked", workspace: entry.signed.checkpoint.origin, line: index + 1 };
    before = entry;
  }

  return null;
};
