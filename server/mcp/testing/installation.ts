import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll } from "vitest";
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
