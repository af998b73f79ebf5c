import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { err, type Result } from "@/lib/result";
import type { ToolDefinition } from "@/lib/mcp/definition";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import { findToolChanges, type ToolChange } from "@/lib/mcp/tool-changes";
import { inspectImage, isImageProgram, type ImageProgram } from "@/server/mcp/containers/engine";
import { findImage, installImage } from "@/server/mcp/containers/install";
import { digestFiles } from "@/server/mcp/file-digest";
import { installInto, withDraft } from "./install";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { readPrograms } from "./list";
import { allowFile, takeFolder, type Declared } from "./offer";
import { listPythonVersions } from "./python";
import type { Environment } from "./run-installer";

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

export type ListTools = (program: Program) => Promise<Result<readonly ToolDefinition[], string>>;

export type ToolComparison = {
  readonly changes: readonly ToolChange[] | null;
  readonly after: readonly ToolDefinition[] | null;
  readonly failure: string | null;
};

const EARLIER_GONE = "The earlier version is gone.";

const compareTools = async (before: Program | null, after: Program, list: ListTools): Promise<ToolComparison> => {
  const now = await list(after);
  if (!now.ok) return { changes: null, after: null, failure: `The new version did not list its tools. ${now.error}` };
  const was = before ? await list(before) : err(EARLIER_GONE);
  if (!was.ok) return { changes: null, after: now.value, failure: `The installed version did not list its tools. ${was.error}` };

  return { changes: findToolChanges(was.value, now.value), after: now.value, failure: null };
};

export type Changes = { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };

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
  readonly tools: ToolComparison;
  readonly applied: boolean;
};

const NO_CHANGES: Changes = { added: [], removed: [], changed: [] };

type Asked = {
  readonly id: string;
  readonly version: string | null;
  readonly bin: string | null;
  readonly image: string | null;
  readonly scripts: boolean;
  readonly apply: boolean;
};

const versionsOf = (kind: "package" | "python", folder: string): Promise<Versions> =>
  kind === "python" ? listPythonVersions(folder) : listNpmVersions(folder);

const declaredOf = ({ runs: _runs, files: _files, ...declared }: Program): Declared => declared;

type PackageProgram = Program & { readonly runs: Extract<Program["runs"], { kind: "package" | "python" }> };

const isPackage = (program: Program): program is PackageProgram => program.runs.kind === "package" || program.runs.kind === "python";

export type UpgradeDeps = {
  readonly at: Installation;
  readonly env: Environment;
  readonly engineEnvironment: Environment;
  readonly list: ListTools;
};

const upgradePackage = async (program: PackageProgram, asked: Asked, { at, env, list }: UpgradeDeps): Promise<Upgrade> => {
  const { kind, package: name } = program.runs;
  const folder = path.join(getProgramsFolder(at.home), program.id);
  const [files, dependencies] = await Promise.all([digestFiles(folder), versionsOf(kind, folder)]);

  return withDraft(program.id, at, async (draft) => {
    const runs = await installInto(draft, { kind, name, version: asked.version, bin: asked.bin, scripts: asked.scripts }, env);
    const [newFiles, newDependencies] = await Promise.all([digestFiles(draft), versionsOf(kind, draft)]);
    const arrow = (each: string): string =>
      [each, [dependencies.get(each), newDependencies.get(each)].filter(Boolean).join(" -> ")].join(" ");
    const next = await takeFolder(draft, runs, declaredOf(program), at, true);
    const tools = await compareTools(program, { ...next, id: path.basename(draft) }, list);
    const taken = asked.apply ? await takeFolder(draft, runs, declaredOf(program), at) : next;

    return {
      id: program.id,
      version: { before: program.runs.version, after: "version" in runs ? runs.version : "" },
      digest: { before: computeProgramDigest(program), after: computeProgramDigest(taken) },
      dependencies: compare(dependencies, newDependencies, arrow),
      files: compare(files, newFiles, (each) => each),
      tools,
      applied: asked.apply,
    };
  });
};

const upgradeImage = async (program: ImageProgram, asked: Asked, { at, engineEnvironment: env, list }: UpgradeDeps): Promise<Upgrade> => {
  if (asked.image === null) throw createInvalidProgram("Name the next image with --image NAME@sha256:DIGEST.");
  const { runs } = program;
  const [before, { image: after }] = await Promise.all([
    inspectImage(runs.engine, `sha256:${runs.config}`, env),
    findImage(asked.image, env),
  ]);
  const next = await installImage(asked.image, declaredOf(program), at, env, true);
  const tools = await compareTools(before ? program : null, next, list);
  if (asked.apply) await installImage(asked.image, declaredOf(program), at, env);
  const [was, is] = [before?.layers ?? [], after.layers];

  return {
    id: program.id,
    version: { before: runs.image, after: next.runs.image },
    digest: { before: computeProgramDigest(program), after: computeProgramDigest(next) },
    dependencies: NO_CHANGES,
    files: {
      added: is.filter((layer) => !was.includes(layer)).slice(0, MOST_LISTED),
      removed: was.filter((layer) => !is.includes(layer)).slice(0, MOST_LISTED),
      changed: [],
    },
    tools,
    applied: asked.apply,
  };
};

/** @throws AppError("manifest_invalid") */
export const upgradeProgram = async (asked: Asked, deps: UpgradeDeps): Promise<Upgrade> => {
  const { at, list } = deps;
  const program = readPrograms(at.home).find(({ id }) => id === asked.id);
  if (!program) throw createInvalidProgram(`There is no program ${asked.id}.`);
  if (isPackage(program)) return upgradePackage(program, asked, deps);
  if (isImageProgram(program)) return upgradeImage(program, asked, deps);
  if (program.runs.kind !== "file") throw createInvalidProgram("A bundled server is upgraded with Countersign.");
  const { path: file } = program.runs;
  const next = await allowFile(file, declaredOf(program), at, null, true);
  const isChanged = next.files !== program.files;
  const tools = await compareTools(isChanged ? null : program, next, list);
  if (asked.apply) await allowFile(file, declaredOf(program), at, next.files);

  return {
    id: program.id,
    version: null,
    digest: { before: computeProgramDigest(program), after: computeProgramDigest(next) },
    dependencies: NO_CHANGES,
    files: { ...NO_CHANGES, changed: isChanged ? [file] : [] },
    tools,
    applied: asked.apply,
  };
};
