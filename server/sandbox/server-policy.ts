/** The sandbox of a stdio server: its program, a folder of its own, and what its manifest was given. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { allExcept, isWithin, realPathOf } from "./paths.ts";
import { NO_NETWORK, type NetworkPolicy, type ProcessLimits, type SandboxPolicy } from "./policy.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "./system-files.ts";

export const SERVER_LIMITS: ProcessLimits = {
  // Twice the heap that Node is given, for code, buffers and the stacks of threads.
  memoryBytes: 1_536 * 1_048_576,
  processorSeconds: 3_600,
  openFiles: 1_024,
  fileBytes: 256 * 1_048_576,
  threads: 512,
};

/** A program of a server and what it is started with. */
export type ServerProgram = {
  /** The program's own file. */
  readonly entry: string;
  /** What is executed: Node for scripts, else the file itself. */
  readonly command: string;
  /** Absolute paths among these texts are what the server may change. */
  readonly given: readonly string[];
  /** Folders of its own. */
  readonly own: readonly string[];
  /** Files of ours that it reads. */
  readonly read: readonly string[];
  readonly network: NetworkPolicy | null;
};

/** Where we are installed: neither is ever given away. */
export type Protected = { readonly home: string; readonly root: string };

const PATH_IN = /(?:^|=)(\/.*)$/u;

const OF_THE_KERNEL = ["/dev", "/proc", "/sys"];

const realOf = (file: string): string => realPathOf(file) ?? file;

/**
 * What the server may change because it was given the path. Nothing that is reached over a link: another server could have
 * put the link there. Nothing at, above or below the state folder or the application, but for the inbox, and no devices.
 */
const writableOf = (text: string, { home, root }: Protected): string[] => {
  const found = PATH_IN.exec(text)?.[1];
  // Written as it is meant: who reviews the manifest reads this text.
  if (found === undefined || path.normalize(found) !== found) return [];
  const named = found.length > 1 && found.endsWith(path.sep) ? found.slice(0, -1) : found;
  const file = isWithin(named, home) ? path.join(realOf(home), path.relative(home, named)) : named;
  if (realPathOf(file) !== file) return [];
  if (isWithin(file, path.join(realOf(home), "inbox"))) return [file];

  return [...OF_THE_KERNEL, ...[home, root].map(realOf)].some((ours) => isWithin(ours, file) || isWithin(file, ours)) ? [] : [file];
};

/** Folders from that of the file up to the root. */
const foldersAbove = (file: string): string[] => {
  const folder = path.dirname(file);

  return folder === file ? [] : [folder, ...foldersAbove(folder)];
};

/** The folder of an installed package with all that it uses; null for a program from elsewhere. */
const installedFolder = (entry: string, state: string): string | null => {
  const programs = path.join(state, "programs");
  const [id] = path.relative(programs, entry).split(path.sep);

  return isWithin(entry, programs) && id ? path.join(programs, id) : null;
};

/** The folder that is the program: of its package, else its own, else the file alone where that folder holds more than programs. */
const programFolder = (entry: string, { home, root }: Protected): string => {
  const state = realOf(home);
  const installed = installedFolder(entry, state);
  if (installed !== null) return installed;
  const kept = [state, ...[root, os.homedir(), os.tmpdir()].map(realOf)];
  const above = foldersAbove(entry);
  const packageFolder = above.find((folder) => fs.existsSync(path.join(folder, "package.json")));
  const candidates = [packageFolder, above[0]].filter((folder) => folder !== undefined);

  const isProgram = (folder: string): boolean =>
    !kept.some((each) => isWithin(each, folder)) && (!isWithin(folder, state) || folder === path.join(state, "build"));

  return candidates.find(isProgram) ?? entry;
};

/** What it imports: packages in or above its folder, and the files that say of which kind its modules are. */
const modulesFor = (entry: string, { home }: Protected): readonly string[] =>
  foldersAbove(entry).flatMap((folder) => {
    const modules = realPathOf(path.join(folder, "node_modules"));

    return [path.join(folder, "package.json"), ...(modules === null ? [] : allExcept(modules, [realOf(home)]))];
  });

export const buildServerPolicy = ({ entry, command, given, own, read, network }: ServerProgram, at: Protected): SandboxPolicy => {
  const program = realOf(entry);

  return {
    read: [...SYSTEM_READ, programFolder(program, at), ...modulesFor(program, at), ...read],
    execute: [...SYSTEM_EXECUTE, process.execPath, realOf(command)],
    write: [...SYSTEM_WRITE, ...own, ...given.flatMap((text) => writableOf(text, at))],
    network: network ?? NO_NETWORK,
    processes: false,
    limits: SERVER_LIMITS,
    capabilities: false,
  };
};
