import { open, rename, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { log } from "@/server/log";
import { formatEntry, type Entry } from "./entry";
import { snapshotEntries, type JournalMemory } from "./memory";
import { giveToOwner } from "./notice";

/** Delay of a head. */
const BACKGROUND_MS = 250;
/** Compacted above this and twice the last size. */
const SMALLEST_LIMIT = 4 * 1_048_576;
const CHUNK = 2_000;

/** Nothing that needs the journal may leave. */
export class JournalFailed extends Error {
  constructor(cause: unknown) {
    super("the journal cannot be written", { cause });
    this.name = "JournalFailed";
  }
}

export type JournalWriter = {
  /** Only the newest head per run is written. */
  readonly note: (entry: Entry) => void;
  /** Resolves when durable. @throws JournalFailed */
  readonly settle: () => Promise<void>;
  /** Resolves when locally readable; not power-safe. */
  readonly flush: () => Promise<void>;
  /** Compacts into a new file. */
  readonly rewrite: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

function* chunksOf(entries: Iterable<Entry>): Generator<string> {
  let lines: string[] = [];
  for (const entry of entries) {
    lines.push(formatEntry(entry));
    if (lines.length < CHUNK) continue;
    yield lines.join("");
    lines = [];
  }
  yield lines.join("");
}

/** @param memory already has the noted entries */
export const createWriter = (file: string, memory: JournalMemory, now: () => number, smallestLimit = SMALLEST_LIMIT): JournalWriter => {
  const folder = path.dirname(file);
  let handle: FileHandle | null = null;
  let size = 0;
  let limit = smallestLimit;
  let entries: Entry[] = [];
  let heads = new Map<string, Entry>();
  let waiting: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[] = [];
  let noted = 0;
  let synced = 0;
  let timer: NodeJS.Timeout | null = null;
  let isWanted = false;
  let working: Promise<void> | null = null;

  const forget = async (): Promise<void> => {
    const old = handle;
    handle = null;
    await old?.close().catch(() => undefined);
  };

  const rewrite = async (): Promise<void> => {
    await forget();
    const draft = `${file}.new`;
    const next = await open(draft, "w", 0o600);
    try {
      size = 0;
      for (const chunk of chunksOf(snapshotEntries(memory, now()))) {
        await next.appendFile(chunk);
        size += Buffer.byteLength(chunk);
      }
      await next.datasync();
      giveToOwner(draft, folder);
      await rename(draft, file);
      await syncFolder(folder);
    } catch (error) {
      await next.close().catch(() => undefined);
      throw error;
    }
    handle = next;
    limit = Math.max(smallestLimit, size * 2);
  };

  /** An adopter thought this process dead: writes would be lost. */
  const isUnlinked = async (): Promise<boolean> => handle !== null && (await handle.stat()).nlink === 0;

  const write = async (): Promise<void> => {
    const [batch, waiters, upTo] = [[...entries, ...heads.values()], waiting, noted];
    entries = [];
    heads = new Map();
    waiting = [];
    try {
      if (handle === null || size > limit || (waiters.length > 0 && (await isUnlinked()))) await rewrite();
      else if (batch.length > 0) {
        const text = batch.map(formatEntry).join("");
        await handle.appendFile(text);
        size += Buffer.byteLength(text);
      }
      if (waiters.length > 0) {
        await handle?.datasync();
        synced = upTo;
      }
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      // The next attempt rewrites it.
      await forget();
      log().error({ error: String(error) }, "the journal was not written");
      for (const { reject } of waiters) reject(new JournalFailed(error));
      schedule();
    }
  };

  const work = (): void => {
    isWanted = true;
    working ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await write();
      }
    })().finally(() => (working = null));
  };

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = null;
      work();
    }, BACKGROUND_MS).unref();
  }

  const settle = (): Promise<void> => {
    if (synced === noted && handle !== null) return Promise.resolve();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ resolve, reject });
    work();

    return promise;
  };

  return {
    flush: async () => {
      work();
      await working;
    },
    note: (entry) => {
      noted += 1;
      if (entry.type === "head") heads.set(entry.run, entry);
      else entries.push(entry);
      schedule();
    },
    settle,
    rewrite,
    close: async () => {
      entries.push({ type: "closed" });
      noted += 1;
      try {
        await settle();
      } finally {
        if (timer) clearTimeout(timer);
        await forget();
      }
    },
  };
};
