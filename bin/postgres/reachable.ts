/**
 * Root's own folders are often closed to everybody else, and then Postgres, which runs as another user, can reach
 * neither its data nor its programs there. Such things go to a system folder instead.
 */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Identity } from "./identity.ts";

const packageSchema = z.object({ version: z.string() });

const systemFolder = "/var/lib/countersign";

const passes = (folder: string, { uid, gid }: Identity): boolean => {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });

  // What is not there yet is made by us, for the right user.
  if (stat === undefined) return true;
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;

  return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) !== 0;
};

/** Whether every folder above `target` lets this user through. */
export const isReachable = (target: string, identity: Identity | null): boolean => {
  if (identity === null) return true;
  const above = path.dirname(target);

  if (!passes(above, identity)) return false;

  return above === target || isReachable(above, identity);
};

/** A path under the system folder that both root and the other user reach. */
export const systemPlace = (name: string): string => {
  fs.mkdirSync(systemFolder, { recursive: true, mode: 0o755 });

  return path.join(systemFolder, name);
};

/** The folder with the Postgres programs, or a copy of it where this user can reach it. */
export const reachableNative = (native: string, identity: Identity | null): string => {
  if (isReachable(path.join(native, "bin"), identity)) return native;
  const { version } = packageSchema.parse(JSON.parse(fs.readFileSync(path.join(native, "..", "package.json"), "utf8")));
  const copy = systemPlace(`postgres-${version}`);

  if (!fs.existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;

    fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    fs.rmSync(copy, { recursive: true, force: true });
    fs.renameSync(draft, copy);
  }

  return copy;
};
