/**
 * An operator's word to the journal, as a file beside it: the database was restored to an older moment, or a journal that is
 * damaged or missing is accepted. Runners carry it out at their next start. Plain Node: the start writes it too.
 */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export type Notice = {
  /** It is carried out once, however often its file is copied here. */
  readonly id: string;
  /** `restored`: forget how far ledgers and logs were. `accepted`: go on with what can be read. */
  readonly kind: "restored" | "accepted";
};

export const journalFolder = (home: string): string => path.join(home, "journal");
export const noticeFile = (home: string): string => path.join(journalFolder(home), "notice.json");

/** Gives a file to whoever owns the folder: a root's command must not lock the runner out. */
export const giveToOwner = (file: string, folder: string): void => {
  const owner = fs.statSync(folder);
  const own = fs.statSync(file);
  if (own.uid !== owner.uid && process.getuid?.() === 0) fs.chownSync(file, owner.uid, owner.gid);
};

/** Makes the journal's folder, for its owner alone. */
export const ensureJournalFolder = (home: string): string => {
  const folder = journalFolder(home);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToOwner(folder, home);

  return folder;
};

const isNotice = (value: unknown): value is Notice =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  /^[0-9a-f-]{36}$/u.test(value.id) &&
  "kind" in value &&
  (value.kind === "restored" || value.kind === "accepted");

/** The notice that waits to be carried out, or null. What is no notice is none. */
export const readNotice = (home: string): Notice | null => {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(noticeFile(home), "utf8"));

    return isNotice(value) ? { id: value.id, kind: value.kind } : null;
  } catch {
    return null;
  }
};

/** Leaves the notice for the next start of the runners of these state folders: one notice, known by one id. */
export const leaveNotice = (homes: readonly string[], kind: Notice["kind"]): void => {
  const notice: Notice = { id: randomUUID(), kind };
  for (const home of homes) {
    // Whoever restored has accepted whatever the journal was.
    if (kind === "accepted" && readNotice(home)?.kind === "restored") continue;
    const folder = ensureJournalFolder(home);
    const draft = `${noticeFile(home)}.${notice.id}`;
    fs.writeFileSync(draft, `${JSON.stringify(notice)}\n`, { mode: 0o600, flush: true });
    giveToOwner(draft, folder);
    fs.renameSync(draft, noticeFile(home));
  }
};
