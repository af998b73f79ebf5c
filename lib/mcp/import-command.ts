import { err, ok, type Result } from "@/lib/result";
import { runsOtherPrograms } from "./launch";

export type ImportedLaunch =
  | { readonly kind: "package"; readonly name: string; readonly version: string; readonly args: readonly string[] }
  | { readonly kind: "file"; readonly path: string; readonly args: readonly string[] };

export type Described = {
  readonly key: string;
  readonly launch: Result<ImportedLaunch, string> | null;
  readonly url: string | null;
  readonly variables: readonly (readonly [string, string])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

const EXACT = /^((?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*)@(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z-.]{1,64})?)$/;

/** Parses `name@1.2.3`: one exact npm version. */
export const parsePackageSpec = (spec: string): Result<{ readonly name: string; readonly version: string }, string> => {
  const [, name, version] = EXACT.exec(spec) ?? [];
  if (name === undefined || version === undefined) {
    return err(`${spec.slice(0, 200)} has no exact version, so what runs could change. Use name@1.2.3.`);
  }

  return ok({ name, version });
};

export const toPackageLaunch = (spec: string, args: readonly string[]): Result<ImportedLaunch, string> => {
  const parsed = parsePackageSpec(spec);
  if (!parsed.ok) return parsed;
  if (runsOtherPrograms(parsed.value.name)) return err("This package runs other programs, which can't be reviewed.");

  return ok({ kind: "package", ...parsed.value, args });
};

const baseName = (command: string): string => (command.split(/[\\/]/).at(-1) ?? "").replace(/\.(?:exe|cmd|bat)$/i, "").toLowerCase();

/** `-y` concerns downloads, which never happen here. */
const fromNpx = (args: readonly string[]): Result<ImportedLaunch, string> => {
  const [first, ...rest] = args;
  if (first === undefined) return err("npx has no package.");
  if (first === "-y" || first === "--yes" || first === "--no-install") return fromNpx(rest);
  const inline = /^--package=(.+)$/s.exec(first)?.[1];
  const spec = inline ?? (first === "-p" || first === "--package" ? rest[0] : undefined);
  if (spec !== undefined) {
    const [bin, ...given] = inline === undefined ? rest.slice(1) : rest;

    return bin === undefined || bin.startsWith("-") ? err("npx has a package but no program.") : toPackageLaunch(spec, given);
  }
  if (first.startsWith("-")) return err(`npx ${first.slice(0, 40)} runs a string as a command.`);

  return toPackageLaunch(first, rest);
};

const fileLaunch = (path: string, args: readonly string[]): Result<ImportedLaunch, string> =>
  path.startsWith("/") ? ok({ kind: "file", path, args }) : err("Use the program's absolute path in the file.");

const fromNode = (args: readonly string[]): Result<ImportedLaunch, string> => {
  const [path, ...rest] = args;
  if (path === undefined) return err("node has no file.");
  if (path.startsWith("-")) return err(`node ${path.slice(0, 40)} runs code that isn't in a file.`);

  return fileLaunch(path, rest);
};

/** Parses a command, or explains why not. */
export const launchOf = (command: string, args: readonly string[]): Result<ImportedLaunch, string> => {
  const program = baseName(command.trim());
  if (/\s/.test(command.trim())) return err("The command is a whole command line. Split it into command and args.");
  if (program === "npx") return fromNpx(args);
  if (program === "node" || program === "nodejs") return fromNode(args);
  if (runsOtherPrograms(program)) return err(`${program.slice(0, 60)} runs other code, so its digest doesn't cover what runs.`);

  return fileLaunch(command.trim(), args);
};
