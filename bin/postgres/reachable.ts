/** A system folder replaces folders that root closes. */
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { Identity } from "./identity.ts";

const packageSchema = z.object({ version: z.string() });

const systemFolder = "/var/lib/countersign";

const passes = (folder: string, { uid, gid }: Identity): boolean => {
  const stat = fs.statSync(folder, { throwIfNoEntry: false });

  if (stat === undefined) return true;
  if (stat.uid === uid) return (stat.mode & 0o100) !== 0;

  return (stat.mode & (stat.gid === gid ? 0o010 : 0o001)) !== 0;
};

/** Checks that this user passes every folder above. */
export const isReachable = (target: string, identity: Identity | null): boolean => {
  if (identity === null) return true;
  const above = path.dirname(target);

  if (!passes(above, identity)) return false;

  return above === target || isReachable(above, identity);
};

/** Returns a place that both reach. */
export const systemPlace = (name: string): string => {
  fs.mkdirSync(systemFolder, { recursive: true, mode: 0o755 });

  return path.join(systemFolder, name);
};

/** Copies unreachable programs. */
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
