/** Kept checkpoints: one document, or one per line (`.jsonl`). */
import { checkpointFileSchema, type CheckpointFile } from "@/lib/engine/ledger/checkpoint-file";
import {
  findCheckpointLinesFault,
  parseCheckpointLines,
  type CheckpointLines,
  type CheckpointLinesFault,
} from "@/lib/engine/ledger/checkpoint-lines";
import type { PublicKeys } from "@/lib/engine/ledger/signature";
import { readParsed, readText } from "./document";
import { CliFailure } from "./host";

const isLines = (file: string): boolean => file.endsWith(".jsonl");

export const readLines = async (file: string): Promise<CheckpointLines & { readonly last: CheckpointFile }> => {
  const text = await readText(file);
  if (!text.ok) throw new CliFailure(text.error);
  const lines = parseCheckpointLines(text.value);
  const last = lines.files.at(-1);
  if (lines.foreign !== null) throw new CliFailure(`${file}, line ${lines.foreign}: not a checkpoint`);
  if (!last) throw new CliFailure(`${file} contains no checkpoints`);

  return { ...lines, last };
};

/** Checks the lines' chain by given keys, else by their own. */
export const findLinesFault = (files: readonly CheckpointFile[], given: PublicKeys | null): Promise<CheckpointLinesFault | null> =>
  findCheckpointLinesFault(files, (file) => given ?? file.public_keys);

/** Reads the document, or the last line. @throws CliFailure for a broken chain */
export const readKeptCheckpoints = async (file: string, given: PublicKeys | null): Promise<CheckpointFile> => {
  if (!isLines(file)) return readParsed(file, "checkpoint", checkpointFileSchema);
  const { files, last } = await readLines(file);
  const fault = await findLinesFault(files, given);
  if (fault)
    throw new CliFailure(
      `${file}, line ${fault.line}: the checkpoint does not verify (${fault.reason}); run "countersign verify ${file}" for details`,
    );

  return last;
};
