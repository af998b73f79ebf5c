/** The folders and programs of one chaos run. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundlePrograms } from "@/bin/bundle";
import { ensureHome } from "@/bin/start/home";
import { makeDisk, type Disk } from "@/bench/chaos/disk";

export type Home = {
  /** COUNTERSIGN_HOME of every runner. */
  readonly folder: string;
  readonly runnerProgram: string;
  readonly preloadProgram: string;
  readonly effectsProgram: string;
  /** One file for each call that arrived. */
  readonly received: string;
  /** One file for each call that was carried out. */
  readonly deeds: string;
  /** The share of tool calls that go wrong, as text. */
  readonly toolRate: string;
  readonly misdeeds: string;
  readonly logs: string;
  /** Where the database lies. */
  readonly database: string;
  /** The database's own disk, or why it has none. */
  readonly disk: Disk | string;
  /** @param keep the folder, for a look at it; the disk goes all the same */
  remove(keep: boolean): void;
};

const programs = {
  runner: "./server/runner/main.ts",
  preload: "./bench/chaos/processes/preload.ts",
  effects: "./bench/chaos/processes/effects.ts",
};

/** Packages are found through a link. */
const bundle = async (root: string, outdir: string): Promise<void> => {
  fs.symlinkSync(path.join(root, "node_modules"), path.join(outdir, "node_modules"), "junction");
  await bundlePrograms({ root, outdir, entries: programs });
};

export const makeHome = async (): Promise<Home> => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-chaos-"));
  // As root the database runs as another user, who must get through.
  fs.chmodSync(folder, 0o711);
  ensureHome(folder);
  const under = (name: string): string => {
    const made = path.join(folder, name);
    fs.mkdirSync(made, { recursive: true });

    return made;
  };
  const [outdir, chaos] = [under("build"), under("chaos")];
  await bundle(path.resolve("."), outdir);
  const disk = makeDisk(folder);
  const toolRate = path.join(chaos, "tool-rate");
  const misdeeds = path.join(chaos, "misdeeds");
  for (const file of [toolRate, misdeeds]) fs.writeFileSync(file, "");

  return {
    folder,
    runnerProgram: path.join(outdir, "runner.mjs"),
    preloadProgram: path.join(outdir, "preload.mjs"),
    effectsProgram: path.join(outdir, "effects.mjs"),
    received: under("received"),
    deeds: under("deeds"),
    toolRate,
    misdeeds,
    logs: under("log"),
    database: typeof disk === "string" ? under("postgres") : disk.folder,
    disk,
    remove: (keep) => {
      if (typeof disk !== "string") disk.remove();
      if (!keep) fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
