import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { BundledProgram } from "@/lib/mcp/bundled-program";
import { computeProgramDigest, type Program, type StdioManifest } from "@/lib/mcp/program";
import { getBundledProgram } from "@/server/mcp/programs/bundled";
import type { Installation } from "@/server/mcp/programs/installation";
import { allowFile, takePackage, type Declared } from "@/server/mcp/programs/offer";

const repository = path.resolve(".");

type Given = Partial<Omit<Declared, "id" | "name">> & { readonly values?: StdioManifest["values"] };

/** Manifest of an entry confirmed unchanged. */
export const manifestOf = (program: Program, values: StdioManifest["values"] = {}): StdioManifest => ({
  program: program.id,
  digest: computeProgramDigest(program),
  values,
});

export const bundledManifest = async (id: BundledProgram, at: Installation): Promise<StdioManifest> =>
  manifestOf(await getBundledProgram(id, at));

const declared = (id: string, { args = [], env = {}, placeholders = {} }: Given): Declared => ({ id, name: id, args, env, placeholders });

/** Programs there find the project's packages. */
export const makeProgramFolder = async (): Promise<string> => {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "countersign-program-")));
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  // Under root, servers run as other users.
  await chmod(folder, 0o755);

  return folder;
};

/** Offers a copy. */
export const offerFile = async (at: Installation, id: string, file: string, given: Given = {}): Promise<StdioManifest> => {
  const copy = path.join(await makeProgramFolder(), path.basename(file));
  await cp(file, copy);

  return offerInPlace(at, id, copy, given);
};

/** Offers a file in place. */
export const offerInPlace = async (at: Installation, id: string, file: string, given: Given = {}): Promise<StdioManifest> => {
  await mkdir(path.join(at.home, "keys"), { recursive: true });

  return manifestOf(await allowFile(file, declared(id, given), at), given.values);
};

/** Offers a package of `node_modules`. */
export const offerPackage = async (
  at: Installation,
  id: string,
  spec: { readonly name: string; readonly version: string; readonly bin: string },
  given: Given = {},
): Promise<StdioManifest> => {
  const draft = path.join(at.home, "programs", `.draft-${id}`);
  await rm(draft, { recursive: true, force: true });
  await mkdir(path.join(at.home, "keys"), { recursive: true });
  const folder = path.join("node_modules", ...spec.name.split("/"));
  await cp(path.join(repository, folder), path.join(draft, folder), { recursive: true, dereference: true });

  return manifestOf(await takePackage(draft, spec, declared(id, given), at), given.values);
};
