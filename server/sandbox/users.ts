/** Unprivileged users for servers, where root starts them: each process one that no other process of this machine has. */
import { randomInt } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

/** Numbers of users, both included. */
export type UserRange = { readonly first: number; readonly last: number };

/** Neither the system's users nor systemd's dynamic ones are in it. */
export const SERVER_USERS: UserRange = { first: 60_800, last: 61_055 };

export type ClaimedUser = { readonly uid: number; release(): void };

/** The kernel gives a name of an abstract socket to one process and takes it back with the process. @returns null when it is taken */
const claim = (uid: number): Promise<ClaimedUser | "no_sockets" | null> =>
  new Promise((resolve) => {
    const holder = net.createServer((socket) => socket.destroy());
    holder.once("error", (error) => resolve("code" in error && error.code === "EADDRINUSE" ? null : "no_sockets"));
    holder.listen(`\0countersign-user-${uid}`, () => resolve({ uid, release: () => void holder.close() }));
    holder.unref();
  });

const takenHere = new Set<number>();

/** Where the sandbox has no local sockets, as in a tool host: distinct in this process, and random, so that others rarely have it too. */
const takeRandomUser = ({ first, last }: UserRange): ClaimedUser | null => {
  const free = Array.from({ length: last - first }, (_, index) => first + 1 + index).filter((uid) => !takenHere.has(uid));
  const uid = free[free.length === 0 ? 0 : randomInt(free.length)];
  if (uid === undefined) return null;
  takenHere.add(uid);

  return { uid, release: () => void takenHere.delete(uid) };
};

/** @throws when every user of the range is in use. The first of the range is the group of bundled servers' folders. */
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

/** The first path that a user without rights of its own, in these groups, cannot use; null when it can use all. */
export const firstClosed = ({ read, write }: Wanted, groups: readonly number[]): string | null => {
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

/** Lets a user reach known names in folders of ours, without listing them. */
export const makePassable = (folders: readonly string[]): void => {
  for (const folder of folders) if (fs.existsSync(folder)) fs.chmodSync(folder, 0o711);
};

/**
 * Gives a folder of a bundled server to a group, once: before any server of another user was in it, so that nothing in it was put
 * there to lead elsewhere.
 */
export const shareFolder = (folder: string, gid: number): void => {
  if (fs.statSync(folder).gid === gid) return;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    fs.lchownSync(file, fs.lstatSync(file).uid, gid);
    if (!entry.isSymbolicLink()) fs.chmodSync(file, entry.isDirectory() ? 0o2770 : 0o660);
  }
  // Last: until then the next start does it again.
  fs.chownSync(folder, fs.statSync(folder).uid, gid);
  fs.chmodSync(folder, 0o2770);
};
