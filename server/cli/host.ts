import type { Readable, Writable } from "node:stream";

/** What the process around the command gives it; the command itself reads no environment and ends no process. */
export type CliHost = {
  /** COUNTERSIGN_HOME of the installation that the command is about. */
  readonly home: string;
  /** The folder of the application. */
  readonly root: string;
  /** Where the command was called: relative commands and paths of servers start there. */
  readonly cwd: string;
  /** What any program needs to run (PATH, HOME, …), and nothing that could be a secret of ours. */
  readonly ordinaryEnvironment: Readonly<Record<string, string>>;
  /** The same, with the registry and the proxies that npm is set to. */
  readonly npmEnvironment: Readonly<Record<string, string>>;
  /** One variable of the environment, by a name that whoever calls has chosen for it. */
  secret(name: string): string | undefined;
  /** Stdin and stdout as they are, for a command that speaks a protocol over them. */
  readonly input: Readable;
  readonly output: Writable;
  /** Resolves when it is written. */
  out(text: string): Promise<void>;
  err(text: string): Promise<void>;
  /** What has to be undone however the command ends, last first. */
  defer(undo: () => Promise<void>): void;
  /** Points the stores at the database of the installation. @returns false when there never was one */
  openInstalledDatabase(): boolean;
  /** The offline verifier as it is built from the sources. */
  verifierHtml(): Promise<string>;
  /** Points the stores at an empty database that goes with the command. */
  openThrowAwayDatabase(): Promise<void>;
};

/** One sub-command. @returns its exit code */
export type CliCommand = (argv: readonly string[], host: CliHost) => Promise<number>;

/** Told in one sentence; the exit code is 1. */
export class CliFailure extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = "CliFailure";
  }
}
