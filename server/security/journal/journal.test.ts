import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { inTemporaryFolder } from "@/bin/testing";
import { formatEntry, type SpentReceipt } from "./entry";
import { createEmptyMemory, addEntry } from "./memory";
import { openJournal, type Journal } from "./journal";
import { getJournalFolder, leaveNotice, getNoticeFile } from "./notice";
import { createWriter, JournalFailed } from "./writer";

const clock = { now: () => 1_800_000_000_000, id: () => randomUUID() };
const digest = (character: string): string => character.repeat(64);

const receiptOf = (change: Partial<SpentReceipt> = {}): SpentReceipt => ({
  nonce: randomUUID(),
  run: randomUUID(),
  effect: randomUUID(),
  transition_digest: digest("1"),
  arguments_digest: digest("2"),
  idempotency_key: digest("3"),
  expires_at: clock.now() + 60_000,
  ...change,
});

const inHome = (work: (home: string) => Promise<void>) => () => inTemporaryFolder(work);
const filesOf = (home: string): string[] => fs.readdirSync(getJournalFolder(home)).filter((name) => name.endsWith(".jsonl"));
const onlyFile = (home: string): string => {
  const [name = "", ...others] = filesOf(home);
  expect(others).toEqual([]);

  return path.join(getJournalFolder(home), name);
};

const durable = async (journal: Journal, run: string, version: number, of = "a"): Promise<void> => {
  journal.noteHead(run, { version, digest: digest(of) });
  await journal.settle();
};

const closedWith = async (home: string, run: string, version = 5): Promise<void> => {
  const journal = await openJournal(home, clock);
  await durable(journal, run, version);
  await journal.close();
};

/** Runs `work` right after the first listing of a folder. */
const afterListing = async <T>(work: () => Promise<unknown>, within: () => Promise<T>): Promise<T> => {
  const { readdir } = fs.promises;
  const restore = (): void => {
    fs.promises.readdir = readdir;
    syncBuiltinESMExports();
  };
  fs.promises.readdir = (async (folder: string) => {
    restore();
    const names = await readdir(folder);
    await work();

    return names;
  }) as typeof readdir;
  syncBuiltinESMExports();
  try {
    return await within();
  } finally {
    restore();
  }
};

describe("heads", () => {
  it(
    "survive a clean end and a crash, and never go backwards",
    inHome(async (home) => {
      const run = randomUUID();
      const first = await openJournal(home, clock);
      await durable(first, run, 5);
      await durable(first, run, 3, "b");
      // Not closed, as by a kill.
      const second = await openJournal(home, clock);
      expect(await second.headOf(run)).toEqual({ version: 5, digest: digest("a") });
      await durable(second, run, 6, "c");
      await second.close();
      const third = await openJournal(home, clock);
      expect(await third.headOf(run)).toEqual({ version: 6, digest: digest("c") });
      expect(await third.headOf(randomUUID())).toBeNull();
    }),
  );

  it(
    "of another process are known once it settled",
    inHome(async (home) => {
      const [one, other] = [await openJournal(home, clock), await openJournal(home, clock)];
      const run = randomUUID();
      await durable(other, run, 2);
      expect(await one.headOf(run)).toEqual({ version: 2, digest: digest("a") });
      await durable(other, run, 3, "b");
      expect(await one.headOf(run)).toEqual({ version: 3, digest: digest("b") });
    }),
  );

  it(
    "asked for at once list the folder once, and none of them misses what was noted before",
    inHome(async (home) => {
      const [one, other] = [await openJournal(home, clock), await openJournal(home, clock)];
      const runs = Array.from({ length: 20 }, () => randomUUID());
      for (const run of runs) other.noteHead(run, { version: 1, digest: digest("a") });
      await other.settle();
      const { readdir } = fs.promises;
      let listed = 0;
      fs.promises.readdir = ((folder: string) => {
        listed += 1;

        return readdir(folder);
      }) as typeof readdir;
      syncBuiltinESMExports();
      try {
        const found = await Promise.all(runs.map((run) => one.headOf(run)));
        expect(found.map((head) => head?.version)).toEqual(runs.map(() => 1));
      } finally {
        fs.promises.readdir = readdir;
        syncBuiltinESMExports();
      }
      expect(listed).toBe(1);
    }),
  );

  it(
    "are written in the background, the newest per run",
    inHome(async (home) => {
      const journal = await openJournal(home, clock);
      const file = onlyFile(home);
      const run = randomUUID();
      for (let version = 1; version <= 100; version += 1) journal.noteHead(run, { version, digest: digest("a") });
      expect(fs.readFileSync(file, "utf8")).not.toContain(run);
      await expect.poll(() => fs.readFileSync(file, "utf8").split(run).length - 1).toBe(1);
      expect(fs.readFileSync(file, "utf8")).toContain('"version":100');
    }),
  );
});

describe("a receipt", () => {
  it(
    "is spent once, for one call, across processes and crashes; the same call may repeat",
    inHome(async (home) => {
      const journal = await openJournal(home, clock);
      const receipt = receiptOf();
      expect(await journal.spend(receipt)).toBe(true);
      expect(fs.readFileSync(onlyFile(home), "utf8")).toContain(receipt.nonce);
      expect(await journal.spend(receipt)).toBe(true);
      const beside = await openJournal(home, clock);
      for (const change of [
        { effect: randomUUID() },
        { run: randomUUID() },
        { arguments_digest: digest("9") },
        { transition_digest: digest("9") },
        { idempotency_key: digest("9") },
      ]) {
        expect(await journal.spend({ ...receipt, ...change })).toBe(false);
        expect(await beside.spend({ ...receipt, ...change })).toBe(false);
      }
      expect(await beside.spend(receipt)).toBe(true);
    }),
  );
});

describe("a file", () => {
  it(
    "is private to its owner, as is its folder",
    inHome(async (home) => {
      await openJournal(home, clock);
      expect(fs.statSync(onlyFile(home)).mode & 0o777).toBe(0o600);
      expect(fs.statSync(getJournalFolder(home)).mode & 0o777).toBe(0o700);
    }),
  );

  it(
    "of an ended process is adopted by the next",
    inHome(async (home) => {
      const runs = [randomUUID(), randomUUID(), randomUUID()];
      for (const run of runs) await closedWith(home, run);
      const journal = await openJournal(home, clock);
      onlyFile(home);
      for (const run of runs) expect((await journal.headOf(run))?.version).toBe(5);
    }),
  );

  it(
    "is compacted when large: last heads and valid receipts stay",
    inHome(async (home) => {
      const memory = createEmptyMemory();
      const file = path.join(home, "journal.jsonl");
      const writer = createWriter(file, memory, clock.now, 20_000);
      await writer.rewrite();
      const runs = Array.from({ length: 20 }, () => randomUUID());
      const kept = receiptOf();
      const expired = receiptOf({ expires_at: clock.now() - 2 * 86_400_000 });
      for (const receipt of [kept, expired]) {
        addEntry(memory, { type: "spent", ...receipt });
        writer.note({ type: "spent", ...receipt });
      }
      let largest = 0;
      for (let version = 1; version <= 200; version += 1) {
        for (const run of runs) {
          const entry = { type: "head", run, version, digest: digest("a") } as const;
          addEntry(memory, entry);
          writer.note(entry);
        }
        await writer.settle();
        largest = Math.max(largest, fs.statSync(file).size);
      }
      await writer.close();
      const text = fs.readFileSync(file, "utf8");
      expect(largest).toBeLessThan(30_000);
      for (const run of runs) expect(text.split("\n").findLast((line) => line.includes(run))).toContain('"version":200');
      expect(text).toContain(kept.nonce);
      expect(text).not.toContain(expired.nonce);
    }),
  );

  it(
    "with a torn end is read up to there",
    inHome(async (home) => {
      const [known, torn] = [randomUUID(), randomUUID()];
      await closedWith(home, known);
      fs.appendFileSync(onlyFile(home), formatEntry({ type: "head", run: torn, version: 9, digest: digest("a") }).slice(0, -20));
      const journal = await openJournal(home, clock);
      expect((await journal.headOf(known))?.version).toBe(5);
      expect(await journal.headOf(torn)).toBeNull();
    }),
  );

  it(
    "with another unreadable line blocks a runner until an operator accepts the rest",
    inHome(async (home) => {
      const [known, changed] = [randomUUID(), randomUUID()];
      const journal = await openJournal(home, clock);
      await durable(journal, changed, 7);
      await durable(journal, known, 5);
      const file = onlyFile(home);
      fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"version":7', '"version":1'));
      await expect(openJournal(home, clock)).rejects.toMatchObject({
        code: "journal_corrupt",
        message: expect.stringMatching(/^line 2 of journal\/.*countersign keys journal --accept.*\(journal_corrupt\)$/u) as string,
      });
      leaveNotice([home], "accepted");
      const accepted = await openJournal(home, clock);
      expect((await accepted.headOf(known))?.version).toBe(5);
      expect(await accepted.headOf(changed)).toBeNull();
      onlyFile(home);
    }),
  );

  it(
    "of another live process blocks its reader at an unreadable line",
    inHome(async (home) => {
      const writer = await openJournal(home, clock);
      const file = onlyFile(home);
      const reader = await openJournal(home, clock);
      const run = randomUUID();
      await durable(writer, run, 5);
      expect((await reader.headOf(run))?.version).toBe(5);
      fs.appendFileSync(file, "{}\n");
      await expect(reader.headOf(run)).rejects.toMatchObject({ code: "journal_corrupt" });
    }),
  );

  it(
    "adopted while its process lived is rewritten before anything leaves",
    inHome(async (home) => {
      const stopped = await openJournal(home, clock);
      const run = randomUUID();
      await durable(stopped, run, 5);
      const old = onlyFile(home);
      fs.rmSync(old);
      const receipt = receiptOf();
      expect(await stopped.spend(receipt)).toBe(true);
      const text = fs.readFileSync(old, "utf8");
      expect(text).toContain(run);
      expect(text).toContain(receipt.nonce);
    }),
  );

  it(
    "that is unwritable blocks effects, and has everything once writable again",
    inHome(async (home) => {
      const journal = await openJournal(home, clock);
      const folder = getJournalFolder(home);
      const receipt = receiptOf();
      fs.rmSync(onlyFile(home));
      fs.renameSync(folder, `${folder}.away`);
      await expect(journal.settle()).resolves.toBeUndefined();
      journal.noteHead(receipt.run, { version: 1, digest: digest("a") });
      await expect(journal.settle()).rejects.toThrow(JournalFailed);
      fs.renameSync(`${folder}.away`, folder);
      expect(await journal.spend(receipt)).toBe(true);
      expect(fs.readFileSync(onlyFile(home), "utf8")).toContain(receipt.run);
    }),
  );
});

describe("a missing journal", () => {
  it(
    "is not assumed when two runners start for the first time",
    inHome(async (home) => {
      fs.mkdirSync(getJournalFolder(home), { recursive: true });
      const other = () => openJournal(home, clock).then((journal) => journal.close());
      const journal = await afterListing(other, () => openJournal(home, clock));
      expect(journal.isEmpty).toBe(true);
      await journal.close();
    }),
  );

  it(
    "blocks a runner only where one existed",
    inHome(async (home) => {
      const run = randomUUID();
      await closedWith(home, run);
      fs.rmSync(getJournalFolder(home), { recursive: true });
      await expect(openJournal(home, clock)).rejects.toMatchObject({ code: "journal_missing" });
      leaveNotice([home], "accepted");
      const begun = await openJournal(home, clock);
      expect(await begun.headOf(run)).toBeNull();
      expect(begun.since).toBe(clock.now());
    }),
  );
});

describe("a restore notice", () => {
  it(
    "forgets heads and checkpoints, keeps spent receipts, and applies once however often it is copied",
    inHome(async (home) => {
      const [run, later, origin] = [randomUUID(), randomUUID(), randomUUID()];
      const receipt = receiptOf();
      const before = await openJournal(home, clock);
      await durable(before, run, 5);
      await before.spend(receipt);
      await before.noteCheckpoint({ origin, count: 3, root: digest("a"), peaks: [digest("b"), digest("c")] });
      leaveNotice([home], "restored");
      leaveNotice([home], "accepted");
      const copy = fs.readFileSync(getNoticeFile(home));
      const restored = await openJournal(home, clock);
      expect(await restored.headOf(run)).toBeNull();
      expect(await restored.checkpointOf(origin)).toBeNull();
      expect(await restored.spend({ ...receipt, effect: randomUUID() })).toBe(false);
      expect(fs.existsSync(getNoticeFile(home))).toBe(false);
      onlyFile(home);

      await durable(restored, later, 2);
      fs.writeFileSync(getNoticeFile(home), copy);
      const beside = await openJournal(home, clock);
      expect((await beside.headOf(later))?.version).toBe(2);
      await restored.close();
      await beside.close();
      expect((await (await openJournal(home, clock)).headOf(later))?.version).toBe(2);
    }),
  );
});
