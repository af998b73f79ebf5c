/**
 * Checkpoints that were kept one after the other: one file of a single checkpoint a line, each with the proof that the log
 * of the line before it only grew. The last line alone is a checkpoint file like any other.
 */
import { checkpointFileFault, checkpointFileSchema, type CheckpointFile, type CheckpointFileFault } from "@/lib/engine/checkpoint-file";
import { canonicalJson } from "@/lib/json";
import type { PublicKeys } from "@/lib/engine/signature";

export const checkpointLine = (file: CheckpointFile): string => `${JSON.stringify(file)}\n`;

/** `torn`: no JSON, as what was half written never is. `foreign`: JSON that is no single checkpoint. */
const parsed = (line: string): CheckpointFile | "torn" | "foreign" => {
  try {
    const file = checkpointFileSchema.safeParse(JSON.parse(line));

    return file.success && file.data.checkpoints.length === 1 ? file.data : "foreign";
  } catch {
    return "torn";
  }
};

export type CheckpointLines = {
  readonly files: readonly CheckpointFile[];
  /** Lines that a crash left half written. Nothing is lost with one unless the chain says so. */
  readonly torn: number;
  /** The first line, from 1, that is something else: the file is another one, or somebody changed it. */
  readonly foreign: number | null;
};

export const parseCheckpointLines = (text: string): CheckpointLines => {
  const read = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parsed);
  const foreign = read.indexOf("foreign");

  return {
    files: read.filter((line) => typeof line !== "string"),
    torn: read.filter((line) => line === "torn").length,
    foreign: foreign < 0 ? null : foreign + 1,
  };
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
