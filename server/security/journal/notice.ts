/** Operator notices for the next start. Plain Node: the start writes them too. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export type Notice = {
  /** Applied once, however often copied. */
  readonly id: string;
  /** `restored` forgets heads. */
  readonly kind: "restored" | "accepted";
};

export const getJournalFolder = (home: string): string => path.join(home, "journal");
export const getNoticeFile = (home: string): string => path.join(getJournalFolder(home), "notice.json");

/** A root command must not lock the runner out. */
export const giveToOwner = (file: string, folder: string): void => {
  const owner = fs.statSync(folder);
  const own = fs.statSync(file);
  if (own.uid !== owner.uid && process.getuid?.() === 0) fs.chownSync(file, owner.uid, owner.gid);
};

/** Makes the private folder. */
export const ensureJournalFolder = (home: string): string => {
  const folder = getJournalFolder(home);
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

/** Null also when malformed. */
export const readNotice = (home: string): Notice | null => {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(getNoticeFile(home), "utf8"));

    return isNotice(value) ? { id: value.id, kind: value.kind } : null;
  } catch {
    return null;
  }
};

/** Leaves a notice for the next start. */
export const leaveNotice = (homes: readonly string[], kind: Notice["kind"]): void => {
  const notice: Notice = { id: randomUUID(), kind };
  for (const home of homes) {
    // A restore implies acceptance.
    if (kind === "accepted" && readNotice(home)?.kind === "restored") continue;
    const folder = ensureJournalFolder(home);
    const draft = `${getNoticeFile(home)}.${notice.id}`;
    fs.writeFileSync(draft, `${JSON.stringify(notice)}\n`, { mode: 0o600, flush: true });
    giveToOwner(draft, folder);
    fs.renameSync(draft, getNoticeFile(home));
  }
};
