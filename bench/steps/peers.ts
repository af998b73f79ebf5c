import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { startChild } from "@/bench/child";
import type { Bench } from "@/bench/section";
import { measuredSchema, type Measured, type Order } from "./contestant";

const folder = path.resolve("bench/peers");
const INSTALL_MS = 600_000;

/** Older than the lock file means outdated. */
const isInstalled = (): boolean => {
  const made = fs.statSync(path.join(folder, "node_modules", ".package-lock.json"), { throwIfNoEntry: false });

  return made !== undefined && made.mtimeMs >= fs.statSync(path.join(folder, "package-lock.json")).mtimeMs;
};

/** Failed ones turn out missing when driven. */
export const installPeers = async (bench: Bench): Promise<void> => {
  if (bench.peers.length === 0 || isInstalled()) return;
  bench.progress("installing the peers into bench/peers, once; this takes a minute");
  try {
    await promisify(execFile)("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: INSTALL_MS });
  } catch (error) {
    bench.progress(`the peers could not be installed: ${String(error).slice(0, 500)}`);
  }
};

/** @param file in bench/peers */
export const peerArguments = (file: string, order: object): Parameters<typeof startChild> => [
  [path.join(folder, file), JSON.stringify(order)],
  folder,
];

/** @param file in bench/peers @throws Error */
export const runPeer = async (file: string, order: object): Promise<unknown> =>
  JSON.parse(await startChild(...peerArguments(file, order)).answer);

/** Null: unmeasurable; stderr says why. */
export const measurePeer = async (bench: Bench, name: string, order: Order): Promise<Measured | null> => {
  try {
    return measuredSchema.parse(await runPeer(`${name}.mjs`, order));
  } catch (error) {
    bench.progress(`${name} cannot be measured: ${String(error).slice(0, 1_000)}`);

    return null;
  }
};
