/** Python packages: a virtual environment of their own, run by its copy of the interpreter. */
import { copyFile, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { normalizePythonName } from "@/lib/mcp/python-package";
import { createInvalidProgram } from "./installation";
import type { ListedRuns, PackageSpec } from "./offer";
import { PYTHON } from "./python-launch";
import { runInstaller, type Environment } from "./run-installer";

const FACTS = "import json,sys,sysconfig; print(json.dumps({'base': sys.base_prefix, 'lib': sysconfig.get_paths()['purelib']}))";
const factsSchema = z.object({ base: z.string(), lib: z.string() });

type Distribution = { readonly folder: string; readonly name: string; readonly version: string };

const findDistributions = async (library: string): Promise<readonly Distribution[]> => {
  const found = (await readdir(library)).flatMap((folder) => {
    const [, name, version] = /^(.+)-([^-]+)\.dist-info$/.exec(folder) ?? [];

    return name === undefined || version === undefined ? [] : [{ folder, name: normalizePythonName(name), version }];
  });

  return found.toSorted((one, other) => (one.name < other.name ? -1 : 1));
};

const libraryOf = async (folder: string): Promise<string> => {
  const [version] = (await readdir(path.join(folder, "lib"))).filter((name) => name.startsWith("python"));

  return path.join(folder, "lib", version ?? "", "site-packages");
};

export const listPythonVersions = async (folder: string): Promise<ReadonlyMap<string, string>> =>
  new Map((await findDistributions(await libraryOf(folder))).map(({ name, version }) => [name, version]));

const makeReproducible = async (folder: string, base: string): Promise<void> => {
  const bin = path.join(folder, "bin");
  const interpreter = await realpath(path.join(bin, "python3"));
  const copy = path.join(folder, "python");
  await copyFile(interpreter, copy);
  await rm(bin, { recursive: true });
  await mkdir(bin);
  await rename(copy, path.join(folder, PYTHON));
  const library = await libraryOf(folder);
  for (const { folder: info } of await findDistributions(library))
    for (const file of ["RECORD", "direct_url.json", "REQUESTED"]) await rm(path.join(library, info, file), { force: true });
  await writeFile(path.join(folder, "pyvenv.cfg"), `home = ${path.join(base, "bin")}\ninclude-system-site-packages = false\n`);
};

const ENTRY = /^\s*([\w.-]+)\s*=\s*([A-Za-z_][\w.]*:[A-Za-z_][\w.]*)\s*(?:\[.*\])?\s*$/;

const consoleScripts = (text: string): Readonly<Record<string, string>> => {
  const [, section = ""] = /\[console_scripts\]([^[]*)/.exec(text) ?? [];

  return Object.fromEntries(
    section.split("\n").flatMap((line) => {
      const [, name, entry] = ENTRY.exec(line) ?? [];

      return name === undefined || entry === undefined ? [] : [[name, entry]];
    }),
  );
};

const describeEnvironment = async (folder: string, { name, version, bin }: PackageSpec, base: string): Promise<ListedRuns> => {
  const library = await libraryOf(folder);
  const found = (await findDistributions(library)).find((each) => each.name === normalizePythonName(name));
  if (!found || (version !== null && found.version !== version))
    throw createInvalidProgram(`What was installed is not ${name}${version === null ? "" : `==${version}`}.`);
  const scripts = consoleScripts(await readFile(path.join(library, found.folder, "entry_points.txt"), "utf8").catch(() => ""));
  const names = Object.keys(scripts);
  const chosen = bin ?? (names.length === 1 ? (names[0] ?? "") : (names.find((each) => normalizePythonName(each) === found.name) ?? ""));
  const entry = Object.hasOwn(scripts, chosen) ? scripts[chosen] : undefined;
  if (entry === undefined) throw createInvalidProgram(`Name one program of the package with --bin: ${names.join(", ") || "none"}.`);

  return { kind: "python", package: found.name, version: found.version, entry, base };
};

const installerOf = async (folder: string, requirement: string, scripts: boolean, env: Environment): Promise<void> => {
  const python = path.join(folder, "bin", "python3");
  const built = scripts ? [] : ["--only-binary", ":all:"];
  const hasUv = await runInstaller("uv", ["--version"], folder, env).then(
    () => true,
    () => false,
  );
  await (hasUv
    ? runInstaller("uv", ["pip", "install", "--quiet", "--python", python, "--link-mode", "copy", ...built, requirement], folder, env)
    : runInstaller(
        "python3",
        [
          "-m",
          "pip",
          "--python",
          python,
          "install",
          "--quiet",
          "--no-compile",
          "--no-input",
          "--disable-pip-version-check",
          ...built,
          requirement,
        ],
        folder,
        env,
      ));
};

/** Installs wheels into a virtual environment; with `scripts` also packages that have to be built. @throws AppError("manifest_invalid") */
export const installPython = async (folder: string, spec: PackageSpec, scripts: boolean, env: Environment): Promise<ListedRuns> => {
  await runInstaller("python3", ["-m", "venv", "--without-pip", "--symlinks", folder], folder, env);
  const facts = factsSchema.parse(JSON.parse(await runInstaller(path.join(folder, "bin", "python3"), ["-I", "-c", FACTS], folder, env)));
  await installerOf(folder, spec.version === null ? spec.name : `${spec.name}==${spec.version}`, scripts, env);
  await makeReproducible(folder, facts.base);

  return describeEnvironment(folder, spec, await realpath(facts.base));
};
