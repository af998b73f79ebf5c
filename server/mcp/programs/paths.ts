import { lstat, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { createInvalidProgram, type Installation } from "./installation";

/** `/proc` has the runner's memory and environment. */
const SYSTEM = ["/proc", "/sys", "/dev"];

const isInside = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(outer === "/" ? "/" : `${outer}/`);

/** Postgres may keep its files elsewhere. */
const databaseFolder = async ({ home }: Installation): Promise<readonly string[]> => {
  const place = await readFile(path.join(home, "postgres-place"), "utf8").catch(() => "");

  return place.trim() === "" ? [] : [place.trim()];
};

/** Refuses our own and system folders. @param real without links @throws AppError("manifest_invalid") */
const demandForeign = async (real: string, at: Installation): Promise<void> => {
  const own = await Promise.all(
    [at.home, at.root, ...(await databaseFolder(at)), ...SYSTEM].map((folder) => realpath(folder).catch(() => path.resolve(folder))),
  );
  if (own.some((folder) => isInside(real, folder) || isInside(folder, real)))
    throw createInvalidProgram("This path is, holds or is inside a folder of Countersign or of the system. Choose another one.");
};

/** Requires a file that only its owner can change. @throws AppError("manifest_invalid") */
export const demandPlainFile = async (file: string, at: Installation): Promise<void> => {
  const found = await lstat(file).catch(() => null);
  if (!found?.isFile()) throw createInvalidProgram("There is no regular file under that path.");
  if ((await realpath(file)) !== file) throw createInvalidProgram("A folder of that path is a link: enter where the file really is.");
  if ((found.mode & 0o022) !== 0) throw createInvalidProgram("Other users of this machine can change the file.");
  await demandForeign(file, at);
};

const nearestReal = async (file: string): Promise<string> => {
  const real = await realpath(file).catch(() => null);
  if (real !== null || file === "/") return real ?? file;

  return path.join(await nearestReal(path.dirname(file)), path.basename(file));
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const GOES_UP = /(?<![^\s=:;,?&|'"()[\]{}<>@/\\])\.\.(?![^\s=:;,?&|'"()[\]{}<>@/\\])/u;

/** `--dir=/srv`, `-C/srv`, `file:///srv`, `a:/b`. */
const ABSOLUTE = /(?<=^-[a-zA-Z])\/|(?<![^\s=:;,?&|'"()[\]{}<>@])\//gu;

/** To the next separator, and to the end. */
const absolutePathsIn = (text: string): readonly string[] =>
  [...text.matchAll(ABSOLUTE)].flatMap(({ index }) => {
    const rest = text.slice(index);

    return [rest, rest.split(/[\s=:;,?&|'"()[\]{}<>@]/u, 1)[0] ?? ""];
  });

export const demandForeignText = async (text: string, at: Installation): Promise<void> => {
  for (const form of new Set([text, decoded(text)])) {
    if (GOES_UP.test(form)) throw createInvalidProgram("A path cannot go up: leave .. out.");
    for (const each of absolutePathsIn(form)) await demandForeign(await nearestReal(path.posix.normalize(each)), at);
  }
};

const realFolder = async (folder: string): Promise<string> => {
  const real = await realpath(folder).catch(() => null);
  if (real === null || !(await stat(real)).isDirectory()) throw createInvalidProgram("There is no such folder.");

  return real;
};

export const resolveRoot = async (below: string, at: Installation): Promise<string> => {
  const root = await realFolder(below);
  await demandForeign(root, at);

  return root;
};

export const resolveFolder = async (below: string, value: string, at: Installation): Promise<string> => {
  const root = await resolveRoot(below, at);
  const real = await realFolder(path.join(root, value));
  if (!isInside(real, root)) throw createInvalidProgram("The folder leads out of the one that the operator named.");
  await demandForeign(real, at);

  return real;
};
