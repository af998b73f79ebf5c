import path from "node:path";
import type { CliHost } from "../../server/cli/host.ts";
import type { runCli as RunCli } from "../../server/cli/main.ts";
import { wordsOf } from "../start/failure.ts";
import { installedDatabaseUrl } from "./installed.ts";
import { outliveReaders, streamTo, writeErr, writeOut } from "../terminal.mjs";

const undo: (() => Promise<void>)[] = [];
let ending: Promise<never> | null = null;

const end = (exitCode: number): Promise<never> => {
  ending ??= (async () => {
    // A start in progress may still push to the list.
    for (let undoOne = undo.pop(); undoOne !== undefined; undoOne = undo.pop()) await undoOne().catch(() => undefined);

    return process.exit(exitCode);
  })();

  return ending;
};

const ordinary = /^(?:PATH|HOME|USER|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_EXTRA_CA_CERTS)$/u;

const ofInstallers = /^(?:npm_config_\w+|pip_\w+|uv_\w+|(?:https?|no)_proxy)$/iu;

const pick = (names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value !== undefined && names.test(name) ? [[name, value]] : [])),
  );

const given = process.env["DATABASE_URL"];

// Connections read DATABASE_URL; logs would corrupt the output.
const useDatabase = (url: string): void => {
  process.env["DATABASE_URL"] = url;
};
process.env["LOG_LEVEL"] = "silent";

export type Installed = {
  readonly root: string;
  /** Folder of a relative state folder. */
  readonly homeBase: string;
  readonly verifierHtml: () => Promise<string>;
  readonly loadProgram: () => Promise<{ readonly runCli: typeof RunCli }>;
};

const hostOf = ({ root, homeBase, verifierHtml }: Installed): CliHost => {
  const home = path.resolve(homeBase, process.env["COUNTERSIGN_HOME"] || ".countersign");

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

const fail = async (error: unknown): Promise<void> => {
  // Errors during cleanup are its consequence.
  if (ending === null) await new Promise<void>((resolve) => writeErr(`countersign: ${wordsOf(error)}\n`, resolve));
  await end(1);
};

/** Runs the command that the arguments name, and ends the process. */
export const runCommandLine = async (installed: Installed): Promise<void> => {
  // "disconnect": the older Node that started this process has ended.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const) process.on(signal, () => void end(130));
  outliveReaders();
  // A stopping database raises uncaught connection errors, which must not stop the cleanup.
  process.on("uncaughtException", (error) => void fail(error));
  process.on("unhandledRejection", (error) => void fail(error));
  try {
    const { runCli } = await installed.loadProgram();

    await end(await runCli(process.argv.slice(2), hostOf(installed)));
  } catch (error) {
    await fail(error);
  }
};
