import { open, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { readEntries, type ReadEntries } from "./entry";
import { addAll, type JournalMemory } from "./memory";

const ENDING = ".jsonl";
/** Live processes touch theirs hourly. */
const STALE_MS = 86_400_000;

/** The database is untrusted until an operator decides. */
export class JournalRefused extends Error {
  readonly code: "journal_corrupt" | "journal_missing" | "kept_unreadable" | "kept_ahead";

  constructor(code: JournalRefused["code"], sentence: string) {
    super(`${sentence} (${code})`);
    this.name = "JournalRefused";
    this.code = code;
  }
}

export const createCorrupt = (name: string, line: number): JournalRefused =>
  new JournalRefused(
    "journal_corrupt",
    `line ${line} of journal/${name} cannot be read: put the file back as it was, or go on with what can be read by \`countersign keys journal --accept\``,
  );

export const isGone = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT";

const fileNames = async (folder: string): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith(ENDING)).toSorted();

export const createFile = (folder: string, id: string): string => path.join(folder, `${id}${ENDING}`);

export type FoundFile = {
  readonly name: string;
  readonly read: ReadEntries;
  readonly ino: number;
  readonly isOver: boolean;
};

const readWhole = async (folder: string, name: string, now: number): Promise<FoundFile | null> => {
  const file = path.join(folder, name);
  try {
    const { ino, mtimeMs } = await stat(file);
    const read = readEntries(await readFile(file, "utf8"));

    return { name, read, ino, isOver: read.entries.at(-1)?.type === "closed" || now - mtimeMs > STALE_MS };
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
};

const ATTEMPTS = 10;

/** Reads all files; vanished ones were merged. */
export const readFiles = async (folder: string, now: number): Promise<readonly FoundFile[]> => {
  for (let attempt = 1; ; attempt += 1) {
    const found = await Promise.all((await fileNames(folder)).map((name) => readWhole(folder, name, now)));
    const whole = found.filter((file) => file !== null);
    if (whole.length === found.length || attempt === ATTEMPTS) return whole;
  }
};

type Place = { readonly ino: number; readonly bytes: number };

const readTail = async (file: string, name: string, place: Place | undefined, memory: JournalMemory): Promise<Place | undefined> => {
  const handle = await open(file, "r").catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
  if (!handle) return place;
  try {
    const { ino, size } = await handle.stat();
    const from = place?.ino === ino ? place.bytes : 0;
    if (size <= from) return { ino, bytes: from };
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    // Partial lines are read next time.
    const tail = buffer.subarray(0, buffer.subarray(0, bytesRead).lastIndexOf(10) + 1);
    const read = readEntries(tail.toString("utf8"));
    const [line] = read.unreadable;
    if (line !== undefined || read.isTorn) throw createCorrupt(name, line ?? read.entries.length + 1);
    addAll(memory, read.entries);

    return { ino, bytes: from + tail.length };
  } finally {
    await handle.close();
  }
};

/** Follows other processes' files. @param memory receives entries @returns an updating function */
export const followFiles = (folder: string, own: string, found: readonly FoundFile[], memory: JournalMemory): (() => Promise<void>) => {
  const places = new Map<string, Place>(found.map(({ name, ino, read }) => [name, { ino, bytes: read.bytes }]));

  return async () => {
    for (const name of await fileNames(folder)) {
      if (name === own) continue;
      const place = await readTail(path.join(folder, name), name, places.get(name), memory);
      if (place) places.set(name, place);
    }
  };
};
