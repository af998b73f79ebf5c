/** The control plane's memory, out of database writers' reach. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import path from "node:path";
import { mergeCalls } from "@/lib/merge-calls";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import type { Head, SeenCheckpoint, SpentReceipt } from "./entry";
import { createCorrupt, followFiles, JournalRefused, createFile, readFiles, type FoundFile } from "./files";
import { addAll, addEntry, createEmptyMemory, forgetHistory, snapshotEntries, type JournalMemory } from "./memory";
import { ensureJournalFolder, giveToOwner, getJournalFolder, getNoticeFile, readNotice, type Notice } from "./notice";
import { createWriter, type JournalWriter } from "./writer";

const HEARTBEAT_MS = 3_600_000;

export type Journal = {
  /** ms since 1970 */
  readonly since: number;
  readonly isEmpty: boolean;
  readonly isRestored: boolean;
  readonly headOf: (run: string) => Promise<Head | null>;
  /** Durable after `settle`. */
  readonly noteHead: (run: string, head: Head) => void;
  /** Resolves when other local processes can read. */
  readonly flush: () => Promise<void>;
  /** Resolves when durable. @throws JournalFailed */
  readonly settle: () => Promise<void>;
  /** Spends a receipt durably. @returns false when spent for another call @throws JournalFailed */
  readonly spend: (receipt: SpentReceipt) => Promise<boolean>;
  readonly checkpointOf: (origin: string) => Promise<SeenCheckpoint | null>;
  /** @throws JournalFailed */
  readonly noteCheckpoint: (checkpoint: SeenCheckpoint) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A crash or a tool's question repeats it. */
const isSameCall = (known: SpentReceipt, asked: SpentReceipt): boolean =>
  known.run === asked.run &&
  known.effect === asked.effect &&
  known.transition_digest === asked.transition_digest &&
  known.arguments_digest === asked.arguments_digest &&
  known.idempotency_key === asked.idempotency_key;

type Parts = {
  readonly own: JournalMemory;
  readonly others: JournalMemory;
  readonly follow: () => Promise<void>;
  readonly writer: Pick<JournalWriter, "note" | "flush" | "settle" | "close">;
};

const journalOf = ({ own, others, follow: followAlone, writer }: Parts): Journal => {
  // Runs that open at once would each list the folder.
  const merged = mergeCalls(followAlone);
  const follow = (): Promise<void> => merged();

  return {
    since: own.since ?? 0,
    isEmpty: [own, others].every(({ heads, checkpoints }) => heads.size === 0 && checkpoints.size === 0),
    isRestored: [...own.notices.values()].includes("restored"),
    headOf: async (run) => {
      await follow();
      const [mine, theirs] = [own.heads.get(run), others.heads.get(run)];

      return (mine && theirs ? (mine.version >= theirs.version ? mine : theirs) : (mine ?? theirs)) ?? null;
    },
    noteHead: (run, { version, digest }) => {
      const entry = { type: "head", run, version, digest } as const;
      addEntry(own, entry);
      writer.note(entry);
    },
    flush: writer.flush,
    settle: writer.settle,
    spend: async (receipt) => {
      await follow();
      const known = own.spent.get(receipt.nonce) ?? others.spent.get(receipt.nonce);
      if (known && !isSameCall(known, receipt)) return false;
      if (!known) {
        const entry = { type: "spent", ...receipt } as const;
        addEntry(own, entry);
        writer.note(entry);
      }
      await writer.settle();

      return true;
    },
    checkpointOf: async (origin) => {
      await follow();
      const [mine, theirs] = [own.checkpoints.get(origin), others.checkpoints.get(origin)];

      return (mine && theirs ? (mine.count >= theirs.count ? mine : theirs) : (mine ?? theirs)) ?? null;
    },
    noteCheckpoint: async (checkpoint) => {
      const entry = { type: "checkpoint", ...checkpoint } as const;
      addEntry(own, entry);
      writer.note(entry);
      await writer.settle();
    },
    close: writer.close,
  };
};

export const createMemoryJournal = (clock: Pick<Clock, "now">): Journal =>
  journalOf({
    own: { ...createEmptyMemory(), since: clock.now() },
    others: createEmptyMemory(),
    follow: async () => undefined,
    writer: { note: () => undefined, flush: async () => undefined, settle: async () => undefined, close: async () => undefined },
  });

/** With it, nothing starts without a journal. */
const markOf = (home: string): string => path.join(home, "keys", "journal.mark");

const mark = (home: string): void => {
  if (existsSync(markOf(home))) return;
  mkdirSync(path.dirname(markOf(home)), { recursive: true, mode: 0o700 });
  writeFileSync(markOf(home), "", { mode: 0o600, flush: true });
  giveToOwner(markOf(home), path.dirname(markOf(home)));
};

type Sorted = { readonly own: JournalMemory; readonly others: JournalMemory; readonly adopted: readonly string[] };

/** Adopts ended processes' files. @throws JournalRefused */
const sortFiles = (found: readonly FoundFile[], notice: Notice | null): Sorted => {
  const notices = new Map(found.flatMap(({ read }) => [...addAll(createEmptyMemory(), read.entries).notices]));
  if (notice) notices.set(notice.id, notice.kind);
  const [own, others] = [{ ...createEmptyMemory(), notices }, createEmptyMemory()];
  const adopted: string[] = [];
  for (const { name, read, isOver } of found) {
    const memory = addAll(createEmptyMemory(), read.entries);
    const missed = [...notices].filter(([id]) => !memory.notices.has(id));
    const [line] = read.unreadable;
    if (line !== undefined && missed.length === 0) throw createCorrupt(name, line);
    if (read.isTorn) log().warn({ file: name }, "the last line of a journal is cut off; a process ended while writing it");
    if (missed.some(([, kind]) => kind === "restored")) forgetHistory(memory);
    const isAdopted = isOver || missed.length > 0;
    addAll(isAdopted ? own : others, snapshotEntries(memory, 0));
    if (isAdopted) adopted.push(name);
  }

  return { own, others, adopted };
};

type Stored = Sorted & { readonly found: readonly FoundFile[]; readonly notice: Notice | null };

/** @throws JournalRefused */
const readStored = async (home: string, now: number): Promise<Stored> => {
  const notice = readNotice(home);
  // Another process writes its file first, then the mark.
  const isMarked = existsSync(markOf(home));
  const found = existsSync(getJournalFolder(home)) ? await readFiles(getJournalFolder(home), now) : [];
  if (found.length === 0 && notice === null && isMarked) {
    throw new JournalRefused(
      "journal_missing",
      "the journal of this state folder is gone: after a restore start with --restored, or begin a new one by `countersign keys journal --accept`",
    );
  }

  return { ...sortFiles(found, notice), found, notice };
};

/** Opens this process's journal. @throws JournalRefused */
export const openJournal = async (home: string, clock: Clock): Promise<Journal> => {
  const { own, others, adopted, found, notice } = await readStored(home, clock.now());
  const folder = ensureJournalFolder(home);
  if (own.since === null) {
    own.since = others.since ?? clock.now();
    if (found.length === 0) log().warn({ folder }, "a journal begins; it trusts the current database");
  }
  const file = createFile(folder, clock.id());
  const writer = createWriter(file, own, () => clock.now());
  await writer.rewrite();
  mark(home);
  for (const name of adopted) rmSync(path.join(folder, name), { force: true });
  if (notice) {
    log().warn({ notice: notice.id, kind: notice.kind }, "an operator's word about the journal was carried out");
    rmSync(getNoticeFile(home), { force: true });
  }
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), HEARTBEAT_MS).unref();

  return journalOf({
    own,
    others,
    follow: followFiles(
      folder,
      path.basename(file),
      found.filter(({ name }) => !adopted.includes(name)),
      others,
    ),
    writer: {
      ...writer,
      close: async () => {
        clearInterval(heartbeat);
        await writer.close();
      },
    },
  });
};

export type JournalReport = {
  /** ms since 1970, or null. */
  readonly since: number | null;
  readonly files: number;
  readonly runs: number;
  readonly receipts: number;
  readonly checkpoints: number;
  /** For the next start. */
  readonly notice: Notice["kind"] | null;
};

/** Reads the journal without writing. @throws JournalRefused */
export const inspectJournal = async (home: string, now: number): Promise<JournalReport> => {
  const { own, others, found, notice } = await readStored(home, now);
  const all = addAll(addAll(createEmptyMemory(), snapshotEntries(others, 0)), snapshotEntries(own, 0));

  return {
    since: own.since ?? others.since,
    files: found.length,
    runs: all.heads.size,
    receipts: all.spent.size,
    checkpoints: all.checkpoints.size,
    notice: notice?.kind ?? null,
  };
};
