/** Rechecks every condition before each start. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import { BUNDLED_PROGRAMS, isBundledProgram } from "@/lib/mcp/bundled-program";
import {
  checkValues,
  fillTemplate,
  listHosts,
  computeProgramDigest,
  findWholePlaceholder,
  type Program,
  type StdioManifest,
} from "@/lib/mcp/program";
import { digestFile, digestTree } from "@/server/mcp/file-digest";
import { getBundledEntry, getBundledFolder, getBundledProgram } from "./bundled";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { readPrograms } from "./list";
import { buildPythonArguments, PYTHON } from "./python-launch";
import { demandForeignText, demandPlainFile, resolveFolder } from "./paths";

export type Launch = {
  readonly program: Program;
  readonly entry: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | { readonly secret: string }>>;
  /** Their absolute paths are writable. */
  readonly writable: readonly string[];
  readonly hosts: readonly string[];
};

const MEMORY_FLAG = "--max-old-space-size=512";

/** Run by our Node; others are executed. */
export const isScript = (file: string): boolean => /\.[cm]?[jt]s$/.test(file);

const packageFolder = ({ id }: Program, { home }: Installation): string => path.join(getProgramsFolder(home), id);

/** @throws AppError("manifest_invalid") when unknown */
export const getEntry = (program: Program, at: Installation): string => {
  const { runs } = program;
  if (runs.kind === "file") return runs.path;
  if (runs.kind === "python") return path.join(packageFolder(program, at), PYTHON);
  if (runs.kind === "package") return path.join(packageFolder(program, at), "node_modules", ...runs.package.split("/"), runs.entry);
  if (runs.kind === "image") throw createInvalidProgram("A container image has no file here.");
  if (!isBundledProgram(program.id)) throw createInvalidProgram("There is no such bundled server.");

  return getBundledEntry(program.id, at);
};

export const digestProgram = async (program: Program, at: Installation): Promise<string> => {
  const { runs } = program;
  if (runs.kind === "bundled") return program.files;
  if (runs.kind === "image") throw createInvalidProgram("The container engine compares images.");
  if (runs.kind === "package" || runs.kind === "python") return digestTree(packageFolder(program, at));
  await demandPlainFile(runs.path, at);

  return digestFile(runs.path);
};

export const listOfferedPrograms = async (at: Installation): Promise<readonly Program[]> => {
  const bundled = await Promise.all(BUNDLED_PROGRAMS.map((id) => getBundledProgram(id, at).catch(() => null)));

  return [...bundled.flatMap((program) => program ?? []), ...readPrograms(at.home)];
};

const findProgram = async (id: string, at: Installation): Promise<Program | null> =>
  isBundledProgram(id) ? getBundledProgram(id, at) : (readPrograms(at.home).find((program) => program.id === id) ?? null);

const demandProgram = async ({ program: id, digest }: StdioManifest, at: Installation): Promise<Program> => {
  const program = await findProgram(id, at);
  if (!program) {
    throw createInvalidProgram(
      `The operator does not offer the program ${id}. Programs are added with "npx countersign servers install" or "allow".`,
    );
  }
  if (computeProgramDigest(program) !== digest)
    throw createInvalidProgram("The program is not the one that was confirmed: it was updated, or the operator changed it.");

  return program;
};

export const isOffered = ({ program: id, digest }: StdioManifest, at: Installation): boolean =>
  isBundledProgram(id) || readPrograms(at.home).some((program) => program.id === id && computeProgramDigest(program) === digest);

export type Filled = Readonly<Record<string, string>>;

const resolveValues = async ({ placeholders }: Program, { values }: StdioManifest, at: Installation): Promise<Filled> => {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const placeholder = placeholders[name];
    if (typeof value !== "string") continue;
    filled[name] = placeholder?.type === "folder" ? await resolveFolder(placeholder.below, value, at) : value;
  }

  return filled;
};

const environmentOf = ({ env }: Program, { values }: StdioManifest, filled: Filled): Launch["env"] =>
  Object.fromEntries(
    Object.entries(env).map(([name, template]) => {
      const place = findWholePlaceholder(template);
      const value = place === null ? undefined : values[place];

      return [name, typeof value === "object" ? value : fillTemplate(template, filled)];
    }),
  );

/** An admin's texts and secrets grant nothing. */
const writableOf = ({ args, env, placeholders }: Program, filled: Filled): readonly string[] => [
  ...[...args, ...Object.values(env)].filter((template) => fillTemplate(template, filled) === template),
  ...Object.entries(filled).flatMap(([name, value]) => (["folder", "choice"].includes(placeholders[name]?.type ?? "") ? [value] : [])),
];

type Checked = { readonly program: Program; readonly filled: Filled };

export const checkManifest = async (manifest: StdioManifest, at: Installation): Promise<Checked> => {
  const program = await demandProgram(manifest, at);
  const checked = checkValues(program, manifest.values);
  if (!checked.ok) throw createInvalidProgram(checked.error);

  const filled = await resolveValues(program, manifest, at);
  const templates = [...program.args, ...Object.values(program.env)];
  // A prefix may hide where a path begins.
  for (const text of [...templates.map((template) => fillTemplate(template, filled)), ...Object.values(filled)])
    await demandForeignText(text, at);

  return { program, filled };
};

export const buildContainerLaunch = (
  program: Program,
  manifest: StdioManifest,
  filled: Filled,
): Pick<Launch, "args" | "env" | "hosts"> => ({
  args: program.args.map((template) => fillTemplate(template, filled)),
  env: environmentOf(program, manifest, filled),
  hosts: listHosts(program, manifest.values),
});

export const buildLaunch = async (program: Program, manifest: StdioManifest, filled: Filled, at: Installation): Promise<Launch> => {
  const entry = await realpath(getEntry(program, at));
  const args = isBundledProgram(program.id)
    ? [getBundledFolder(program.id, at)]
    : program.args.map((template) => fillTemplate(template, filled));
  const env = environmentOf(program, manifest, filled);

  const run = isScript(entry)
    ? { command: process.execPath, args: [MEMORY_FLAG, entry, ...args] }
    : { command: entry, args: [...buildPythonArguments(program), ...args] };

  return { program, entry, ...run, env, writable: writableOf(program, filled), hosts: listHosts(program, manifest.values) };
};

export const resolveLaunch = async (manifest: StdioManifest, at: Installation): Promise<Launch> => {
  const { program, filled } = await checkManifest(manifest, at);
  if ((await digestProgram(program, at)) !== program.files)
    throw createInvalidProgram("The program's files are not the ones that the operator installed.");

  return buildLaunch(program, manifest, filled, at);
};
