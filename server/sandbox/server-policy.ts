import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { listAllExcept, isWithin, resolveRealPath } from "./paths.ts";
import { NO_NETWORK, type NetworkPolicy, type ProcessLimits, type SandboxPolicy } from "./policy.ts";
import { SYSTEM_EXECUTE, SYSTEM_READ, SYSTEM_WRITE } from "./system-files.ts";

export const SERVER_LIMITS: ProcessLimits = {
  // Twice Node's heap, for code, buffers and thread stacks.
  memoryBytes: 1_536 * 1_048_576,
  processorSeconds: 3_600,
  openFiles: 1_024,
  fileBytes: 256 * 1_048_576,
  threads: 512,
};

export type ServerProgram = {
  readonly entry: string;
  /** Node for scripts, else the file. */
  readonly command: string;
  /** Texts whose absolute paths are writable. */
  readonly given: readonly string[];
  readonly own: readonly string[];
  readonly read: readonly string[];
  readonly network: NetworkPolicy | null;
};

/** Never writable. */
export type Protected = { readonly home: string; readonly root: string };

const PATH_IN = /(?:^|=)(\/.*)$/u;

const OF_THE_KERNEL = ["/dev", "/proc", "/sys"];

const realOf = (file: string): string => resolveRealPath(file) ?? file;

/** Excludes devices, links that another server could have made, and paths around state folder or application except the inbox. */
const writableOf = (text: string, { home, root }: Protected): string[] => {
  const found = PATH_IN.exec(text)?.[1];
  // Normal form only: the manifest's reviewer reads this text.
  if (found === undefined || path.normalize(found) !== found) return [];
  const named = found.length > 1 && found.endsWith(path.sep) ? found.slice(0, -1) : found;
  const file = isWithin(named, home) ? path.join(realOf(home), path.relative(home, named)) : named;
  if (resolveRealPath(file) !== file) return [];
  if (isWithin(file, path.join(realOf(home), "inbox"))) return [file];

  return [...OF_THE_KERNEL, ...[home, root].map(realOf)].some((ours) => isWithin(ours, file) || isWithin(file, ours)) ? [] : [file];
};

const foldersAbove = (file: string): string[] => {
  const folder = path.dirname(file);

  return folder === file ? [] : [folder, ...foldersAbove(folder)];
};

/** Null for other programs. */
const installedFolder = (entry: string, state: string): string | null => {
  const programs = path.join(state, "programs");
  const [id] = path.relative(programs, entry).split(path.sep);

  return isWithin(entry, programs) && id ? path.join(programs, id) : null;
};

/** Only the file in a folder with other content. */
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

/** Importable packages, and package files that decide module kinds. */
const modulesFor = (entry: string, { home }: Protected): readonly string[] =>
  foldersAbove(entry).flatMap((folder) => {
    const modules = resolveRealPath(path.join(folder, "node_modules"));

    return [path.join(folder, "package.json"), ...(modules === null ? [] : listAllExcept(modules, [realOf(home)]))];
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
