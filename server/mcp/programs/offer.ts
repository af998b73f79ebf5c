import { lstat, readFile, realpath, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isInterpreter } from "@/lib/mcp/launch";
import type { LooseSpec } from "@/lib/mcp/python-package";
import { isBundledProgram } from "@/lib/mcp/bundled-program";
import { programSchema, type Program } from "@/lib/mcp/program";
import { digestFile, digestTree } from "@/server/mcp/file-digest";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { readPrograms, writePrograms } from "./list";
import { demandForeignText, demandPlainFile, resolveRoot } from "./paths";

export type Declared = Pick<Program, "id" | "name" | "args" | "env" | "placeholders" | "network" | "hosts">;

/** @param version null: whichever was installed @param bin null: the only one, or the one named like the package */
export type PackageSpec = LooseSpec & { readonly bin: string | null };

export type ListedRuns = Exclude<Program["runs"], { kind: "bundled" }>;

const packageFileSchema = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

const buildProgram = async (declared: Declared, runs: ListedRuns, files: string, at: Installation): Promise<Program> => {
  if (isBundledProgram(declared.id))
    throw createInvalidProgram(`${declared.id} is the name of a bundled server. Choose another one with --id.`);
  const parsed = programSchema.safeParse({ ...declared, runs, files });
  if (!parsed.success) throw createInvalidProgram(parsed.error.issues[0]?.message ?? "The entry is not valid.");
  for (const placeholder of Object.values(parsed.data.placeholders)) {
    if (placeholder.type === "folder") await resolveRoot(placeholder.below, at);
  }
  for (const text of [...parsed.data.args, ...Object.values(parsed.data.env)]) await demandForeignText(text, at);

  return parsed.data;
};

const replaceEntry = (program: Program, { home }: Installation): void =>
  writePrograms(home, [...readPrograms(home).filter(({ id }) => id !== program.id), program]);

/** @param expected null: the current digest @throws AppError("manifest_invalid") */
export const allowFile = async (
  file: string,
  declared: Declared,
  at: Installation,
  expected: string | null = null,
  isDry = false,
): Promise<Program> => {
  const real = await realpath(file).catch(() => file);
  if (isInterpreter(path.basename(real)))
    throw createInvalidProgram("This program runs other code, so its digest doesn't cover what runs. Allow the script itself.");
  await demandPlainFile(real, at);
  const files = await digestFile(real);
  if (expected !== null && files !== expected) throw createInvalidProgram(`The file's SHA-256 is ${files}, and not the given one.`);
  const program = await buildProgram(declared, { kind: "file", path: real }, files, at);
  if (!isDry) replaceEntry(program, at);

  return program;
};

export const offerImage = async (
  runs: ListedRuns,
  files: string,
  declared: Declared,
  at: Installation,
  isDry: boolean,
): Promise<Program> => {
  const program = await buildProgram(declared, runs, files, at);
  if (!isDry) replaceEntry(program, at);

  return program;
};

const chooseBin = (bins: Readonly<Record<string, string>>, own: string): string => {
  const [first = "", ...others] = Object.keys(bins);

  return others.every((bin) => bins[bin] === bins[first]) ? first : own;
};

type Found = { readonly version: string; readonly entry: string };

const findEntry = async (folder: string, { name, version, bin }: PackageSpec): Promise<Found> => {
  const home = path.join(folder, "node_modules", ...name.split("/"));
  const found = packageFileSchema.safeParse(JSON.parse(await readFile(path.join(home, "package.json"), "utf8").catch(() => "null")));
  if (!found.success || found.data.name !== name || (version !== null && found.data.version !== version))
    throw createInvalidProgram(`What npm installed is not ${name}${version === null ? "" : `@${version}`}.`);
  const own = name.split("/").at(-1) ?? name;
  const declared = found.data.bin ?? {};
  const bins = typeof declared === "string" ? { [own]: declared } : declared;
  const chosen = bin ?? chooseBin(bins, own);
  const relative = Object.hasOwn(bins, chosen) ? bins[chosen] : undefined;
  if (relative === undefined)
    throw createInvalidProgram(`Name one program of the package with --bin: ${Object.keys(bins).join(", ") || "none"}.`);
  const [real, root] = await Promise.all([realpath(path.join(home, relative)).catch(() => ""), realpath(home)]);
  if (!real.startsWith(`${root}${path.sep}`)) throw createInvalidProgram("The program is a file outside of the package.");
  if (!(await lstat(real)).isFile()) throw createInvalidProgram("The program is not a regular file.");

  return { version: found.data.version, entry: path.relative(root, real) };
};

/** @throws AppError("manifest_invalid") */
export const takeFolder = async (
  draft: string,
  runs: ListedRuns,
  declared: Declared,
  at: Installation,
  isDry = false,
): Promise<Program> => {
  const program = await buildProgram(declared, runs, await digestTree(draft), at);
  if (isDry) return program;
  const folder = path.join(getProgramsFolder(at.home), program.id);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  replaceEntry(program, at);

  return program;
};

export const describePackage = async (draft: string, spec: PackageSpec): Promise<ListedRuns> => ({
  kind: "package",
  package: spec.name,
  ...(await findEntry(draft, spec)),
});

export const takePackage = async (draft: string, spec: PackageSpec, declared: Declared, at: Installation): Promise<Program> =>
  takeFolder(draft, await describePackage(draft, spec), declared, at);

/** @returns false when unknown */
export const removeProgram = async (id: string, { home }: Installation): Promise<boolean> => {
  const programs = readPrograms(home);
  const left = programs.filter((program) => program.id !== id);
  if (left.length === programs.length) return false;
  writePrograms(home, left);
  await rm(path.join(getProgramsFolder(home), id), { recursive: true, force: true });

  return true;
};
