/**
 * Checkpoints that were kept one after the other: one file of a single checkpoint a line, each with the proof that the log
 * of the line before it only grew. The last line alone is a checkpoint file like any other.
 */
import {
  checkpointFileFault,
  checkpointFileSchema,
  type CheckpointFile,
  type CheckpointFileFault,
} from "@/lib/engine/ledger/checkpoint-file";
import { canonicalJson, type JsonLimits } from "@/lib/json";
import { linesOf, readJsonText } from "@/lib/json-text";
import type { PublicKeys } from "@/lib/engine/ledger/signature";

export const checkpointLine = (file: CheckpointFile): string => `${JSON.stringify(file)}\n`;

const LINE_LIMITS: JsonLimits = { maxBytes: 4 * 1_048_576, maxDepth: 32 };
const MOST_LINES = 1_000_000;

/** `torn`: no JSON, as what was half written never is. `foreign`: JSON that is no single checkpoint, or says two things. */
const parsed = (line: string): CheckpointFile | "torn" | "foreign" => {
  const read = readJsonText(line, LINE_LIMITS);
  if (!read.ok) return read.error === "no_json" ? "torn" : "foreign";
  const file = checkpointFileSchema.safeParse(read.value);

  return file.success && file.data.checkpoints.length === 1 ? file.data : "foreign";
};

export type CheckpointLines = {
  readonly files: readonly CheckpointFile[];
  /** Lines that a crash left half written. Nothing is lost with one unless the chain says so. */
  readonly torn: number;
  /** The first line, from 1, that is something else: the file is another one, or somebody changed it. */
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
  /** Of the line that is wrong, from 1, torn ones not counted. */
  readonly line: number;
};

/** Everything that the lines say by themselves. @returns the first fault, or null */
export const checkpointLinesFault = async (
  files: readonly CheckpointFile[],
  keysOf: (file: CheckpointFile) => PublicKeys,
): Promise<CheckpointLinesFault | null> => {
  let before: CheckpointFile["checkpoints"][number] | undefined;
  for (const [index, file] of files.entries()) {
    const [entry] = file.checkpoints;
    const fault = await checkpointFileFault(file, keysOf(file));
    if (fault) return { ...fault, line: index + 1 };
    if (!entry) continue;
    const goesOn = !before || (entry.since !== null && canonicalJson(entry.since.signed) === canonicalJson(before.signed));
    if (!goesOn) return { reason: "not_linked", workspace: entry.signed.checkpoint.origin, line: index + 1 };
    before = entry;
  }

  return null;
};
