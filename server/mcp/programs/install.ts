import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runsOtherPrograms } from "@/lib/mcp/launch";
import type { Program } from "@/lib/mcp/program";
import { createInvalidProgram, getProgramsFolder, type Installation } from "./installation";
import { describePackage, takeFolder, type Declared, type ListedRuns, type PackageSpec } from "./offer";
import { installPython } from "./python";
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
export const withDraft = async <T>(id: string, at: Installation, work: (draft: string) => Promise<T>): Promise<T> => {
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

export const installInto = (draft: string, spec: Installed, env: Environment): Promise<ListedRuns> => {
  if (runsOtherPrograms(spec.name)) throw createInvalidProgram("This package runs other programs, so its digest doesn't cover what runs.");

  return spec.kind === "python" ? installPython(draft, spec, spec.scripts, env) : installNpm(draft, spec, env);
};

export const installPackage = (spec: Installed, declared: Declared, at: Installation, env: Environment): Promise<Program> =>
  withDraft(declared.id, at, async (draft) => takeFolder(draft, await installInto(draft, spec, env), declared, at));
