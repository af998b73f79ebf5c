import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isInterpreter, runsOtherPrograms } from "@/lib/mcp/launch";
import { isBundledProgram, programSchema, type Program } from "@/lib/mcp/program";
import { digestFile, digestTree } from "@/server/mcp/file-digest";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { readPrograms, writePrograms } from "./list";
import { demandForeignText, demandPlainFile, resolveRoot } from "./paths";

export type Declared = Pick<Program, "id" | "name" | "args" | "env" | "placeholders" | "network" | "hosts">;

export type PackageSpec = { readonly name: string; readonly version: string; readonly bin: string | null };

type ListedRuns = Exclude<Program["runs"], { kind: "bundled" }>;

const packageFileSchema = z.object({
  name: z.string(),
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
});

/** @throws AppError("manifest_invalid") */
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

/** Adds a file. @param expected null: the current digest @throws AppError("manifest_invalid") */
export const allowFile = async (file: string, declared: Declared, at: Installation, expected: string | null = null): Promise<Program> => {
  const real = await realpath(file).catch(() => file);
  if (isInterpreter(path.basename(real)))
    throw createInvalidProgram("This program runs other code, so its digest doesn't cover what runs. Allow the script itself.");
  await demandPlainFile(real, at);
  const files = await digestFile(real);
  if (expected !== null && files !== expected) throw createInvalidProgram(`The file's SHA-256 is ${files}, and not the given one.`);
  const program = await buildProgram(declared, { kind: "file", path: real }, files, at);
  replaceEntry(program, at);

  return program;
};

/** @throws AppError("manifest_invalid") */
const entryOf = async (folder: string, { name, version, bin }: PackageSpec): Promise<string> => {
  const home = path.join(folder, "node_modules", ...name.split("/"));
  const found = packageFileSchema.safeParse(JSON.parse(await readFile(path.join(home, "package.json"), "utf8")));
  if (!found.success || found.data.name !== name || found.data.version !== version)
    throw createInvalidProgram(`What npm installed is not ${name}@${version}.`);
  const declared = found.data.bin ?? {};
  const bins = typeof declared === "string" ? { [name.split("/").at(-1) ?? name]: declared } : declared;
  const chosen = bin ?? (Object.keys(bins).length === 1 ? (Object.keys(bins)[0] ?? "") : "");
  const relative = Object.hasOwn(bins, chosen) ? bins[chosen] : undefined;
  if (relative === undefined)
    throw createInvalidProgram(`Name one program of the package with --bin: ${Object.keys(bins).join(", ") || "none"}.`);
  const [real, root] = await Promise.all([realpath(path.join(home, relative)).catch(() => ""), realpath(home)]);
  if (!real.startsWith(`${root}${path.sep}`)) throw createInvalidProgram("The program is a file outside of the package.");

  return path.relative(root, real);
};

/** Adds a package from its draft folder. @throws AppError("manifest_invalid") */
export const takePackage = async (draft: string, spec: PackageSpec, declared: Declared, at: Installation): Promise<Program> => {
  const runs = { kind: "package", package: spec.name, version: spec.version, entry: await entryOf(draft, spec) } as const;
  const program = await buildProgram(declared, runs, await digestTree(draft), at);
  const folder = path.join(getProgramsFolder(at.home), program.id);
  await rm(folder, { recursive: true, force: true });
  await rename(draft, folder);
  replaceEntry(program, at);

  return program;
};

type Environment = Readonly<Record<string, string>>;

/** @throws AppError("manifest_invalid") with npm's message */
const runNpm = (args: readonly string[], cwd: string, env: Environment): Promise<void> =>
  new Promise((resolve, reject) => {
    const npm = spawn("npm", [...args], { cwd, env: { ...env, NODE_ENV: "production" }, stdio: ["ignore", "pipe", "pipe"] });
    let words = "";
    npm.stdout.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    npm.stderr.on("data", (chunk: Buffer) => (words += chunk.toString("utf8")));
    npm.once("error", () => reject(createInvalidProgram("npm was not found.")));
    npm.once("close", (code) => (code === 0 ? resolve() : reject(createInvalidProgram(`npm failed: ${words.trim().slice(0, 1_000)}`))));
  });

const INSTALL = ["install", "--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];

/** Installs an npm version without running scripts. @throws AppError("manifest_invalid") */
export const installPackage = async (spec: PackageSpec, declared: Declared, at: Installation, env: Environment): Promise<Program> => {
  if (runsOtherPrograms(spec.name)) throw createInvalidProgram("This package runs other programs, so its digest doesn't cover what runs.");
  const draft = path.join(getProgramsFolder(at.home), `.draft-${randomBytes(6).toString("hex")}`);
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await writeFile(path.join(draft, "package.json"), `${JSON.stringify({ name: "program", private: true })}\n`);
    await runNpm([...INSTALL, `${spec.name}@${spec.version}`], draft, env);

    return await takePackage(draft, spec, declared, at);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

/** Removes an entry. @returns false when unknown */
export const removeProgram = async (id: string, { home }: Installation): Promise<boolean> => {
  const programs = readPrograms(home);
  const left = programs.filter((program) => program.id !== id);
  if (left.length === programs.length) return false;
  writePrograms(home, left);
  await rm(path.join(getProgramsFolder(home), id), { recursive: true, force: true });

  return true;
};
