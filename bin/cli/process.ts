import path from "node:path";
import type { CliHost } from "../../server/cli/host.ts";
import type { runCli as RunCli } from "../../server/cli/main.ts";
import { wordsOf } from "../start/failure.ts";
import { installedDatabaseUrl } from "./installed.ts";
import { outliveReaders, streamTo, writeErr, writeOut } from "../terminal.mjs";

const undo: (() => Promise<void>)[] = [];
let ending: Promise<never> | null = null;

/** Ends what a command started. */
export const undoAll = async (): Promise<void> => {
  // A start in progress may still push to the list.
  for (let undoOne = undo.pop(); undoOne !== undefined; undoOne = undo.pop()) await undoOne().catch(() => undefined);
};

const end = (exitCode: number): Promise<never> => {
  ending ??= undoAll().then(() => process.exit(exitCode));

  return ending;
};

const ordinary = /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_EXTRA_CA_CERTS)$/u;

const ofInstallers = /^(?:npm_config_\w+|pip_\w+|uv_\w+|(?:https?|no)_proxy)$/iu;

const pick = (names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value !== undefined && names.test(name) ? [[name, value]] : [])),
  );

// Connections read it.
const useDatabase = (url: string): void => {
  process.env["DATABASE_URL"] = url;
};

export type Installed = {
  readonly root: string;
  /** Folder of a relative state folder. */
  readonly homeBase: string;
  readonly verifierHtml: () => Promise<string>;
  readonly loadProgram: () => Promise<{ readonly runCli: typeof RunCli }>;
};

const hostOf = ({ root, homeBase, verifierHtml }: Installed): CliHost => {
  const home = path.resolve(homeBase, process.env["COUNTERSIGN_HOME"] || ".countersign");
  const given = process.env["DATABASE_URL"];

  return {
    home,
    root,
    cwd: process.cwd(),
    ordinaryEnvironment: pick(ordinary),
    installerEnvironment: { ...pick(ordinary), ...pick(ofInstallers) },
    secret: (name) => process.env[name],
    input: process.stdin,
    output: streamTo(writeOut),
    out: (text) => new Promise((resolve) => writeOut(text, resolve)),
    err: (text) => new Promise((resolve) => writeErr(text, resolve)),
    defer: (undoOne) => void undo.push(undoOne),
    findDatabaseUrl: (role) => installedDatabaseUrl(home, role),
    openInstalledDatabase: () => {
      const url = installedDatabaseUrl(home, "runner");

      if (url !== null) useDatabase(url);

      return url !== null;
    },
    verifierHtml,
    openThrowAwayDatabase: async () => {
      const { throwAwayDatabase } = await import("./temporary-database.ts");

      useDatabase(await throwAwayDatabase(given === undefined || given === "" ? null : given, (undoOne) => void undo.push(undoOne)));
    },
  };
};

const complain = (error: unknown): Promise<void> => new Promise((resolve) => writeErr(`countersign: ${wordsOf(error)}\n`, resolve));

const fail = async (error: unknown): Promise<void> => {
  // Errors during cleanup are its consequence.
  if (ending === null) await complain(error);
  await end(1);
};

/** Runs one command, without `undoAll`. @returns the exit code */
export const runCommand = async (args: readonly string[], installed: Installed): Promise<number> => {
  try {
    const { runCli } = await installed.loadProgram();

    return await runCli(args, hostOf(installed));
  } catch (error) {
    if (ending === null) await complain(error);

    return 1;
  }
};

/** Runs the command that the arguments name, and ends the process. */
export const runCommandLine = async (installed: Installed): Promise<void> => {
  // Logs would corrupt the output.
  process.env["LOG_LEVEL"] = "silent";
  // "disconnect": the older Node that started this process has ended.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const) process.on(signal, () => void end(130));
  outliveReaders();
  // A stopping database raises uncaught connection errors, which must not stop the cleanup.
  process.on("uncaughtException", (error) => void fail(error));
  process.on("unhandledRejection", (error) => void fail(error));
  await end(await runCommand(process.argv.slice(2), installed));
};
