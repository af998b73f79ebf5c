import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll } from "vitest";
import { bundlePrograms } from "@/bin/bundle";
import type { Installation } from "@/server/mcp/programs/installation";

const root = path.resolve(import.meta.dirname, "../../..");

export const RUG_PULL = path.join(import.meta.dirname, "rug-pull.ts");

/** Makes COUNTERSIGN_HOME, removed after the file. */
export const testInstallation = async (): Promise<Installation> => {
  const folder = path.join(root, ".countersign-tests");
  await mkdir(folder, { recursive: true });
  const home = await mkdtemp(path.join(folder, "home-"));
  for (const name of ["inbox", "keys"]) await mkdir(path.join(home, name));
  afterAll(() => rm(home, { recursive: true, force: true }));

  return { home, root };
};

/** Builds into `build/<name>.mjs`. */
export const bundleInto = ({ home }: Installation, entries: Readonly<Record<string, string>>): Promise<void> =>
  bundlePrograms({ root, outdir: path.join(home, "build"), entries });

export const bundleServers = (installation: Installation, ids: readonly string[]): Promise<void> =>
  bundleInto(installation, Object.fromEntries(ids.map((id) => [id, `./server/mcp/${id}/main.ts`])));

export const bundleCustomers = (installation: Installation): Promise<void> => bundleServers(installation, ["customers"]);
