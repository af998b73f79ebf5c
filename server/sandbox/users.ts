import { randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

export type UserRange = { readonly first: number; readonly last: number };

/** Outside the system's and systemd's dynamic ranges. */
export const SERVER_USERS: UserRange = { first: 60_800, last: 61_055 };

export type ClaimedUser = { readonly uid: number; release(): void };

/** By an abstract socket, which the kernel releases with the process; null when taken. */
const claim = (uid: number): Promise<ClaimedUser | "no_sockets" | null> =>
  new Promise((resolve) => {
    const holder = net.createServer((socket) => socket.destroy());
    holder.once("error", (error) => resolve("code" in error && error.code === "EADDRINUSE" ? null : "no_sockets"));
    holder.listen(`\0countersign-user-${uid}`, () => resolve({ uid, release: () => void holder.close() }));
    holder.unref();
  });

const takenHere = new Set<number>();

/** Without local sockets: unique here, random against others. */
const takeRandomUser = ({ first, last }: UserRange): ClaimedUser | null => {
  const free = Array.from({ length: last - first }, (_, index) => first + 1 + index).filter((uid) => !takenHere.has(uid));
  const uid = free[free.length === 0 ? 0 : randomInt(free.length)];
  if (uid === undefined) return null;
  takenHere.add(uid);

  return { uid, release: () => void takenHere.delete(uid) };
};

/** Claims a user; the first id is the bundled folders' group. @throws when exhausted */
export const claimUser = async (range: UserRange): Promise<ClaimedUser> => {
  const { first, last } = range;
  for (let uid = first + 1; uid <= last; uid += 1) {
    const claimed = await claim(uid);
    if (claimed === "no_sockets") {
      const random = takeRandomUser(range);
      if (random) return random;
      break;
    }
    if (claimed) return claimed;
  }
  throw new Error(`all users from ${first + 1} to ${last} are in use by servers`);
};

type Wanted = { readonly read: readonly string[]; readonly write: readonly string[] };

const hasMode = (file: string, wanted: number, groups: readonly number[]): boolean => {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  if (!stat) return false;
  const mode = groups.includes(stat.gid) ? (stat.mode >> 3) | stat.mode : stat.mode;

  return (mode & wanted) === wanted;
};

/** Finds the first path closed to these groups. */
export const findFirstClosed = ({ read, write }: Wanted, groups: readonly number[]): string | null => {
  const isClosed = (file: string, wanted: number): boolean => {
    for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
      if (!hasMode(folder, 0o1, groups)) return true;
      if (folder === path.dirname(folder)) break;
    }

    return !hasMode(file, wanted, groups);
  };

  const changes = (file: string): number => (fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ? 0o7 : 0o6);

  return read.find((file) => isClosed(file, 0o4)) ?? write.find((file) => isClosed(file, changes(file))) ?? null;
};

/** Makes folders passable, but not listable. */
export const makePassable = (folders: readonly string[]): void => {
  for (const folder of folders) if (fs.existsSync(folder)) fs.chmodSync(folder, 0o711);
};

/** Gives a bundled server's folder to a group before others plant links. */
export const shareFolder = (folder: string, gid: number): void => {
  if (fs.statSync(folder).gid === gid) return;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    fs.lchownSync(file, fs.lstatSync(file).uid, gid);
    if (!entry.isSymbolicLink()) fs.chmodSync(file, entry.isDirectory() ? 0o2770 : 0o660);
  }
  // Last, so that a start repeats an interrupted change.
  fs.chownSync(folder, fs.statSync(folder).uid, gid);
  fs.chmodSync(folder, 0o2770);
};
