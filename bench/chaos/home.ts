import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { bundlePrograms } from "@/bin/bundle";
import { makeProgramFolder } from "@/server/mcp/testing/programs";
import { ensureHome } from "@/bin/start/home";
import { makeDisk, type Disk } from "@/bench/chaos/disk";

export type Home = {
  /** COUNTERSIGN_HOME of every runner. */
  readonly folder: string;
  readonly runnerProgram: string;
  readonly preloadProgram: string;
  readonly effectsProgram: string;
  /** File per arrived call. */
  readonly received: string;
  /** File per executed call. */
  readonly deeds: string;
  readonly toolRate: string;
  readonly misdeeds: string;
  readonly logs: string;
  /** Clock offsets and memory samples of the runners. */
  readonly notes: string;
  readonly database: string;
  /** Text: why none. */
  readonly disk: Disk | string;
  /** @param keep not the disk */
  remove(keep: boolean): void;
};

const programs = {
  runner: "./server/runner/main.ts",
  worker: "./server/worker/main.ts",
  "tool-host": "./server/tool-host/main.ts",
  preload: "./bench/chaos/processes/preload.ts",
};

/** Packages are found through a link. */
const bundle = async (root: string, outdir: string): Promise<void> => {
  fs.symlinkSync(path.join(root, "node_modules"), path.join(outdir, "node_modules"), "junction");
  await bundlePrograms({ root, outdir, entries: programs });
};

/** Like an operator's programs. */
const makeOutside = async (): Promise<string> => {
  const outside = await makeProgramFolder();
  await bundlePrograms({ root: path.resolve("."), outdir: outside, entries: { effects: "./bench/chaos/processes/effects.ts" } });
  // As root, the server runs as another user.
  const open = (name: string, mode: number): void => fs.chmodSync(path.join(outside, name), mode);
  for (const name of ["received", "deeds"]) {
    fs.mkdirSync(path.join(outside, name));
    open(name, 0o777);
  }
  for (const name of ["tool-rate", "misdeeds"]) {
    fs.writeFileSync(path.join(outside, name), "");
    open(name, 0o666);
  }

  return outside;
};

export const makeHome = async (): Promise<Home> => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-chaos-"));
  // As root, the database runs as another user.
  fs.chmodSync(folder, 0o711);
  ensureHome(folder);
  const under = (name: string): string => {
    const made = path.join(folder, name);
    fs.mkdirSync(made, { recursive: true });

    return made;
  };
  const outdir = under("build");
  await bundle(path.resolve("."), outdir);
  const disk = makeDisk(folder);
  const outside = await makeOutside();

  return {
    folder,
    runnerProgram: path.join(outdir, "runner.mjs"),
    preloadProgram: path.join(outdir, "preload.mjs"),
    effectsProgram: path.join(outside, "effects.mjs"),
    received: path.join(outside, "received"),
    deeds: path.join(outside, "deeds"),
    toolRate: path.join(outside, "tool-rate"),
    misdeeds: path.join(outside, "misdeeds"),
    logs: under("log"),
    notes: under("chaos"),
    database: typeof disk === "string" ? under("postgres") : disk.folder,
    disk,
    remove: (keep) => {
      if (typeof disk !== "string") disk.remove();
      if (!keep) for (const each of [folder, outside]) fs.rmSync(each, { recursive: true, force: true });
    },
  };
};
