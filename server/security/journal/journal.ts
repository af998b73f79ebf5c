/**
 * The control plane's memory outside the database: how far each run's ledger was, which receipts were spent, and which
 * checkpoints were signed. Whoever can write the database can set all of it back, and this they cannot.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "@/server/clock";
import { log } from "@/server/log";
import type { Head, SeenCheckpoint, SpentReceipt } from "./entry";
import { corrupt, followFiles, JournalRefused, newFile, readFiles, type FoundFile } from "./files";
import { addAll, addEntry, emptyMemory, forgetHistory, snapshotEntries, type JournalMemory } from "./memory";
import { ensureJournalFolder, giveToOwner, journalFolder, noticeFile, readNotice, type Notice } from "./notice";
import { createWriter, type JournalWriter } from "./writer";

const HEARTBEAT_MS = 3_600_000;

export type Journal = {
  /** Since when it knows anything (ms since 1970). */
  readonly since: number;
  /** It knew of no ledger and no log when it was opened. */
  readonly isEmpty: boolean;
  /** An operator has said that the database was restored to an older moment. */
  readonly isRestored: boolean;
  /** The newest head that was noted of a ledger, by any process of this state folder; null: none was. */
  readonly headOf: (run: string) => Promise<Head | null>;
  /** Notes how far a ledger is that is stored. It is written within a moment, and is on the disk after `settle`. */
  readonly noteHead: (run: string, head: Head) => void;
  /** Resolves when other processes of this state folder find all that was noted. */
  readonly flush: () => Promise<void>;
  /** Resolves when all that was noted is on the disk. @throws JournalFailed */
  readonly settle: () => Promise<void>;
  /**
   * Spends a receipt, for good, and has all that was noted on the disk.
   * @returns false when it was spent for another call: nothing is to be called then
   * @throws JournalFailed
   */
  readonly spend: (receipt: SpentReceipt) => Promise<boolean>;
  /** The longest checkpoint of a log that was signed or accepted here. */
  readonly checkpointOf: (origin: string) => Promise<SeenCheckpoint | null>;
  /** @throws JournalFailed */
  readonly noteCheckpoint: (checkpoint: SeenCheckpoint) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Whether it is the same call once more: that is what a crash, or an answer to a tool's question, leads to. */
const isSameCall = (known: SpentReceipt, asked: SpentReceipt): boolean =>
  known.run === asked.run &&
  known.effect === asked.effect &&
  known.transition_digest === asked.transition_digest &&
  known.arguments_digest === asked.arguments_digest &&
  known.idempotency_key === asked.idempotency_key;

type Parts = {
  readonly own: JournalMemory;
  /** What other processes noted. */
  readonly others: JournalMemory;
  readonly follow: () => Promise<void>;
  readonly writer: Pick<JournalWriter, "note" | "flush" | "settle" | "close">;
};

const journalOf = ({ own, others, follow, writer }: Parts): Journal => ({
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
});

/** A journal that ends with its process, for installations that do. */
export const memoryJournal = (clock: Pick<Clock, "now">): Journal =>
  journalOf({
    own: { ...emptyMemory(), since: clock.now() },
    others: emptyMemory(),
    follow: async () => undefined,
    writer: { note: () => undefined, flush: async () => undefined, settle: async () => undefined, close: async () => undefined },
  });

/** Says, beside the keys, that this state folder has a journal: without one nothing starts there any more. */
const markOf = (home: string): string => path.join(home, "keys", "journal.mark");

const mark = (home: string): void => {
  if (existsSync(markOf(home))) return;
  mkdirSync(path.dirname(markOf(home)), { recursive: true, mode: 0o700 });
  writeFileSync(markOf(home), "", { mode: 0o600, flush: true });
  giveToOwner(markOf(home), path.dirname(markOf(home)));
};

type Sorted = { readonly own: JournalMemory; readonly others: JournalMemory; readonly adopted: readonly string[] };

/**
 * What this process goes on from: it takes over the files of processes that have ended, and those from before the newest
 * notice, and leaves the others to those who write them.
 * @throws JournalRefused
 */
const sortFiles = (found: readonly FoundFile[], notice: Notice | null): Sorted => {
  const notices = new Map(found.flatMap(({ read }) => [...addAll(emptyMemory(), read.entries).notices]));
  if (notice) notices.set(notice.id, notice.kind);
  const [own, others] = [{ ...emptyMemory(), notices }, emptyMemory()];
  const adopted: string[] = [];
  for (const { name, read, isOver } of found) {
    const memory = addAll(emptyMemory(), read.entries);
    const missed = [...notices].filter(([id]) => !memory.notices.has(id));
    const [line] = read.unreadable;
    if (line !== undefined && missed.length === 0) throw corrupt(name, line);
    if (read.isTorn)
      log().warn({ file: name }, "the last line of a journal is cut off: what was written there when a process ended is not known");
    if (missed.some(([, kind]) => kind === "restored")) forgetHistory(memory);
    const isAdopted = isOver || missed.length > 0;
    addAll(isAdopted ? own : others, snapshotEntries(memory, 0));
    if (isAdopted) adopted.push(name);
  }

  return { own, others, adopted };
};

type Stored = Sorted & { readonly found: readonly FoundFile[]; readonly notice: Notice | null };

/** @throws JournalRefused when it is damaged or gone and no operator has accepted that */
const readStored = async (home: string, now: number): Promise<Stored> => {
  const notice = readNotice(home);
  const found = existsSync(journalFolder(home)) ? await readFiles(journalFolder(home), now) : [];
  if (found.length === 0 && notice === null && existsSync(markOf(home))) {
    throw new JournalRefused(
      "journal_missing",
      "the journal of this state folder is gone: after a restore start with --restored, or begin a new one by `countersign keys journal --accept`",
    );
  }

  return { ...sortFiles(found, notice), found, notice };
};

/** Opens the journal of a state folder, for this process. Several processes may have it open. @throws JournalRefused */
export const openJournal = async (home: string, clock: Clock): Promise<Journal> => {
  const { own, others, adopted, found, notice } = await readStored(home, clock.now());
  const folder = ensureJournalFolder(home);
  if (own.since === null) {
    own.since = others.since ?? clock.now();
    if (found.length === 0) log().warn({ folder }, "a journal begins: what is in the database now is taken as it is");
  }
  const file = newFile(folder, clock.id());
  const writer = createWriter(file, own, () => clock.now());
  await writer.rewrite();
  mark(home);
  for (const name of adopted) rmSync(path.join(folder, name), { force: true });
  if (notice) {
    log().warn({ notice: notice.id, kind: notice.kind }, "an operator's word about the journal was carried out");
    rmSync(noticeFile(home), { force: true });
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
  /** Since when it knows anything (ms since 1970); null: there is none yet. */
  readonly since: number | null;
  readonly files: number;
  readonly runs: number;
  readonly receipts: number;
  readonly checkpoints: number;
  /** The operator's word that the next start carries out. */
  readonly notice: Notice["kind"] | null;
};

/** What the journal of a state folder holds; nothing is written. @throws JournalRefused */
export const inspectJournal = async (home: string, now: number): Promise<JournalReport> => {
  const { own, others, found, notice } = await readStored(home, now);
  const all = addAll(addAll(emptyMemory(), snapshotEntries(others, 0)), snapshotEntries(own, 0));

  return {
    since: own.since ?? others.since,
    files: found.length,
    runs: all.heads.size,
    receipts: all.spent.size,
    checkpoints: all.checkpoints.size,
    notice: notice?.kind ?? null,
  };
};
