/** Process of the command `countersign`. */
import path from "node:path";
import type { CliHost } from "../../server/cli/host.ts";
import type { runCli as RunCli } from "../../server/cli/main.ts";
import { ROOT } from "../start/settings.ts";
import { wordsOf } from "../start/failure.ts";
import { cliProgram } from "./bundle.ts";
import { installedDatabaseUrl } from "./installed.ts";
import { throwAwayDatabase } from "./temporary-database.ts";
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

const ofNpm = /^(?:npm_config_\w+|(?:https?|no)_proxy)$/iu;

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

const host: CliHost = {
  home: path.resolve(ROOT, process.env["COUNTERSIGN_HOME"] || ".countersign"),
  root: ROOT,
  cwd: process.cwd(),
  ordinaryEnvironment: pick(ordinary),
  npmEnvironment: { ...pick(ordinary), ...pick(ofNpm) },
  secret: (name) => process.env[name],
  input: process.stdin,
  output: streamTo(writeOut),
  out: (text) => new Promise((resolve) => writeOut(text, resolve)),
  err: (text) => new Promise((resolve) => writeErr(text, resolve)),
  defer: (undoOne) => void undo.push(undoOne),
  openInstalledDatabase: () => {
    const url = installedDatabaseUrl(host.home);

    if (url !== null) useDatabase(url);

    return url !== null;
  },
  verifierHtml: async () => (await import("../verifier/build.ts")).verifierHtml(ROOT),
  openThrowAwayDatabase: async () => {
    useDatabase(await throwAwayDatabase(given === undefined || given === "" ? null : given, (undoOne) => host.defer(undoOne)));
  },
};

// "disconnect": the older Node that started this process has ended.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"] as const) process.on(signal, () => void end(130));
outliveReaders();

const fail = async (error: unknown): Promise<void> => {
  // Errors during cleanup are its consequence.
  if (ending === null) await host.err(`countersign: ${wordsOf(error)}\n`);
  await end(1);
};

// A stopping database raises uncaught connection errors, which must not stop the cleanup.
process.on("uncaughtException", (error) => void fail(error));
process.on("unhandledRejection", (error) => void fail(error));

try {
  // The bundle is built from this module.
  const { runCli } = (await import(await cliProgram(ROOT))) as { readonly runCli: typeof RunCli };
  const exitCode = await runCli(process.argv.slice(2), host);

  await end(exitCode);
} catch (error) {
  await fail(error);
}
