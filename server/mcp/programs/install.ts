import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { runsOtherPrograms } from "@/lib/mcp/launch";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import { digestFiles } from "@/server/mcp/file-digest";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { readPrograms } from "./list";
import { allowFile, describePackage, takeFolder, type Declared, type ListedRuns, type PackageSpec } from "./offer";
import { installPython, listPythonVersions } from "./python";
import { runInstaller, type Environment } from "./run-installer";

export type Installed = PackageSpec & {
  readonly kind: "package" | "python";
  readonly scripts: boolean;
};

const NPM = ["install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];

const installNpm = async (folder: string, spec: Installed, env: Environment): Promise<ListedRuns> => {
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify({ name: "program", private: true })}\n`);
  await runInstaller(
    "npm",
    [...NPM, ...(spec.scripts ? [] : ["--ignore-scripts"]), "--", `${spec.name}@${spec.version ?? "latest"}`],
    folder,
    env,
  );

  return describePackage(folder, spec);
};

/** Lends a folder that the work may rename. */
const withDraft = async <T>(id: string, at: Installation, work: (draft: string) => Promise<T>): Promise<T> => {
  // Installers write the folder's name into files, and runners of a fleet compare digests.
  const draft = path.join(getProgramsFolder(at.home), `.draft-${id}`);
  await mkdir(path.dirname(draft), { recursive: true, mode: 0o700 });
  await mkdir(draft, { mode: 0o700 }).catch(() => {
    throw createInvalidProgram(`Another installation of ${id} is running, or was cut off: then delete ${draft}.`);
  });
  try {
    return await work(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const installInto = (draft: string, spec: Installed, env: Environment): Promise<ListedRuns> => {
  if (runsOtherPrograms(spec.name)) throw createInvalidProgram("This package runs other programs, so its digest doesn't cover what runs.");

  return spec.kind === "python" ? installPython(draft, spec, spec.scripts, env) : installNpm(draft, spec, env);
};

/** @throws AppError("manifest_invalid") */
export const installPackage = (spec: Installed, declared: Declared, at: Installation, env: Environment): Promise<Program> =>
  withDraft(declared.id, at, async (draft) => takeFolder(draft, await installInto(draft, spec, env), declared, at));

type Versions = ReadonlyMap<string, string>;

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

const listNpmVersions = async (folder: string): Promise<Versions> => {
  const { packages } = lockSchema.parse(JSON.parse(await readFile(path.join(folder, "package-lock.json"), "utf8")));

  return new Map(
    Object.entries(packages).flatMap(([place, { version }]) =>
      place === "" || version === undefined ? [] : [[place.replace(/^node_modules\//, ""), version] as const],
    ),
  );
};

type Changes = { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };

const MOST_LISTED = 100;

const compare = (before: Versions, after: Versions, describe: (name: string) => string): Changes => {
  const listed = (names: readonly string[]): readonly string[] => names.slice(0, MOST_LISTED).map(describe);

  return {
    added: listed([...after.keys()].filter((name) => !before.has(name))),
    removed: listed([...before.keys()].filter((name) => !after.has(name))),
    changed: listed([...after.keys()].filter((name) => before.has(name) && before.get(name) !== after.get(name))),
  };
};

export type Upgrade = {
  readonly id: string;
  readonly version: { readonly before: string; readonly after: string } | null;
  readonly digest: { readonly before: string; readonly after: string };
  readonly dependencies: Changes;
  readonly files: Changes;
  readonly applied: boolean;
};

const NO_CHANGES: Changes = { added: [], removed: [], changed: [] };

type Asked = {
  readonly id: string;
  readonly version: string | null;
  readonly bin: string | null;
  readonly scripts: boolean;
  readonly apply: boolean;
};

const versionsOf = (kind: "package" | "python", folder: string): Promise<Versions> =>
  kind === "python" ? listPythonVersions(folder) : listNpmVersions(folder);

const declaredOf = ({ runs: _runs, files: _files, ...declared }: Program): Declared => declared;

type PackageProgram = Program & { readonly runs: Extract<Program["runs"], { kind: "package" | "python" }> };

const isPackage = (program: Program): program is PackageProgram => program.runs.kind === "package" || program.runs.kind === "python";

const upgradePackage = async (program: PackageProgram, asked: Asked, at: Installation, env: Environment): Promise<Upgrade> => {
  const { kind, package: name } = program.runs;
  const folder = path.join(getProgramsFolder(at.home), program.id);
  const [files, dependencies] = await Promise.all([digestFiles(folder), versionsOf(kind, folder)]);

  return withDraft(program.id, at, async (draft) => {
    const runs = await installInto(draft, { kind, name, version: asked.version, bin: asked.bin, scripts: asked.scripts }, env);
    const [newFiles, newDependencies] = await Promise.all([digestFiles(draft), versionsOf(kind, draft)]);
    const arrow = (each: string): string =>
      [each, [dependencies.get(each), newDependencies.get(each)].filter(Boolean).join(" -> ")].join(" ");
    const next = await takeFolder(draft, runs, declaredOf(program), at, !asked.apply);

    return {
      id: program.id,
      version: { before: program.runs.version, after: "version" in runs ? runs.version : "" },
      digest: { before: computeProgramDigest(program), after: computeProgramDigest(next) },
      dependencies: compare(dependencies, newDependencies, arrow),
      files: compare(files, newFiles, (each) => each),
      applied: asked.apply,
    };
  });
};

/** Compares a newer version with what is installed, and with `apply` puts it in its place. @throws AppError("manifest_invalid") */
export const upgradeProgram = async (asked: Asked, at: Installation, env: Environment): Promise<Upgrade> => {
  const program = readPrograms(at.home).find(({ id }) => id === asked.id);
  if (!program) throw createInvalidProgram(`There is no program ${asked.id}.`);
  if (isPackage(program)) return upgradePackage(program, asked, at, env);
  if (program.runs.kind !== "file") throw createInvalidProgram("A bundled server is upgraded with Countersign.");
  const { path: file } = program.runs;
  const next = await allowFile(file, declaredOf(program), at, null, !asked.apply);
  const isChanged = next.files !== program.files;

  return {
    id: program.id,
    version: null,
    digest: { before: computeProgramDigest(program), after: computeProgramDigest(next) },
    dependencies: NO_CHANGES,
    files: { ...NO_CHANGES, changed: isChanged ? [file] : [] },
    applied: asked.apply,
  };
};
