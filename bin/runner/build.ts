/** Runners on one state folder build once. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { bundleServers } from "../start/build.ts";
import { getCode } from "../start/failure.ts";
import { ROOT } from "../start/settings.ts";

const lookEveryMs = 200;
/** After this, its process is dead. */
const staleAfterMs = 120_000;

const take = (lock: string): boolean => {
  try {
    fs.mkdirSync(lock);

    return true;
  } catch (error) {
    if (getCode(error) !== "EEXIST") throw error;
    const heldSince = fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - heldSince > staleAfterMs) fs.rmSync(lock, { recursive: true, force: true });

    return false;
  }
};

/** @returns whether it built */
export const buildAlone = async (home: string): Promise<boolean> => {
  const lock = path.join(home, "build.lock");

  while (!take(lock)) await wait(lookEveryMs);
  try {
    return await bundleServers(ROOT, home);
  } finally {
    fs.rmSync(lock, { recursive: true, force: true });
  }
};
