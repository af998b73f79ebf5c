import { err, ok, type Result } from "@/lib/result";
import { fromContainerEngine, type ImageLaunch } from "./import-image";
import { runsOtherPrograms } from "./launch";
import { parsePythonSpec, type LooseSpec } from "./python-package";

export type ImportedLaunch =
  | (LooseSpec & { readonly kind: "package" | "python"; readonly args: readonly string[] })
  | ImageLaunch
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

const EXACT = /^((?:@[a-z0-9~][a-z0-9-._~]*\/)?[a-z0-9~][a-z0-9-._~]*)@(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z-.]{1,64})?)$/;

const parsePackageSpec = (spec: string): Result<{ readonly name: string; readonly version: string }, string> => {
  const [, name, version] = EXACT.exec(spec) ?? [];
  if (name === undefined || version === undefined) {
    return err(`${spec.slice(0, 200)} has no exact version, so what runs could change. Use name@1.2.3.`);
  }

  return ok({ name, version });
};

const NEWEST = /^((?:@[a-z0-9~][a-z0-9-._~]*\/)?[a-z0-9~][a-z0-9-._~]*)(?:@latest)?$/;

export const parseLooseSpec = (spec: string): Result<LooseSpec, string> => {
  const name = NEWEST.exec(spec)?.[1];

  return name === undefined ? parsePackageSpec(spec) : ok({ name, version: null });
};

export const toPackageLaunch = (spec: string, args: readonly string[]): Result<ImportedLaunch, string> => {
  const parsed = parseLooseSpec(spec);
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

export type Remote = { readonly url: string; readonly headers: readonly (readonly [string, string])[] };

/** Reads the address of `npx mcp-remote`; null for other commands. */
export const remoteOf = (command: string, args: readonly string[]): Remote | null => {
  const at = args.findIndex((arg) => /^mcp-remote(?:@[\w.-]+)?$/.test(arg));
  if (baseName(command.trim()) !== "npx" || at === -1 || !args.slice(0, at).every((arg) => arg === "-y" || arg === "--yes")) return null;
  const [url = "", ...rest] = args.slice(at + 1);
  const headers = rest.flatMap((arg, index) => {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(arg) ?? [];

    return rest[index - 1] === "--header" && name !== undefined && value !== undefined ? [[name, value] as const] : [];
  });

  return /^https?:\/\//.test(url) ? { url, headers } : null;
};

const fileLaunch = (path: string, args: readonly string[]): Result<ImportedLaunch, string> =>
  path.startsWith("/") ? ok({ kind: "file", path, args }) : err("Use the program's absolute path in the file.");

const fromNode = (args: readonly string[]): Result<ImportedLaunch, string> => {
  const [path, ...rest] = args;
  if (path === undefined) return err("node has no file.");
  if (path.startsWith("-")) return err(`node ${path.slice(0, 40)} runs code that isn't in a file.`);

  return fileLaunch(path, rest);
};

export const toPythonLaunch = (spec: string, args: readonly string[]): Result<ImportedLaunch, string> => {
  const parsed = parsePythonSpec(spec);

  return parsed.ok ? ok({ kind: "python", ...parsed.value, args }) : parsed;
};

/** Options of `uvx` that choose an interpreter, not what runs. */
const UVX_VALUE = new Set(["-p", "--python", "--index", "--index-url", "--default-index"]);

const fromUvx = (args: readonly string[]): Result<ImportedLaunch, string> => {
  const [first, second, ...rest] = args;
  if (first === undefined) return err("uvx has no package.");
  if (first === "--from") return second === undefined ? err("uvx has no package.") : toPythonLaunch(second, rest.slice(1));
  if (UVX_VALUE.has(first)) return fromUvx(rest);
  if (first.startsWith("-")) return err(`uvx ${first.slice(0, 40)} adds code that can't be reviewed.`);

  return toPythonLaunch(first, args.slice(1));
};

/** A server's module is named like its package. */
const fromPython = (args: readonly string[]): Result<ImportedLaunch, string> => {
  const [first, module = "", ...rest] = args;
  if (first === "-m" && /^[a-z0-9_]*mcp[a-z0-9_]*$/i.test(module)) return toPythonLaunch(module, rest);

  return err(
    "Python runs code that no package installs. Ask the operator to install the package: npx countersign servers install --python NAME",
  );
};

export const launchOf = (command: string, args: readonly string[]): Result<ImportedLaunch, string> => {
  const program = baseName(command.trim());
  if (/\s/.test(command.trim())) return err("The command is a whole command line. Split it into command and args.");
  if (program === "cmd" && args[0]?.toLowerCase() === "/c" && args[1] !== undefined) return launchOf(args[1], args.slice(2));
  if (program === "npx" || program === "bunx") return fromNpx(args);
  if (program === "pnpm" && args[0] === "dlx") return fromNpx(args.slice(1));
  if (program === "uvx") return fromUvx(args);
  if (program === "uv" && args[0] === "tool" && args[1] === "run") return fromUvx(args.slice(2));
  if (program === "pipx" && args[0] === "run") return fromUvx(args.slice(1));
  if (/^python[0-9.]*$/.test(program)) return fromPython(args);
  if (["docker", "podman", "nerdctl"].includes(program)) return fromContainerEngine(args);
  if (program === "node" || program === "nodejs") return fromNode(args);
  if (runsOtherPrograms(program)) return err(`${program.slice(0, 60)} runs other code, so its digest doesn't cover what runs.`);

  return fileLaunch(command.trim(), args);
};
