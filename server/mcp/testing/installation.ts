/** An installation of its own for one test file: a home in which our bundles find the project's packages. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterAll } from "vitest";
import type { Installation } from "@/server/mcp/manifest";

const root = path.resolve(import.meta.dirname, "../../..");

/** The hostile server, to be registered as a file. */
export const RUG_PULL = path.join(import.meta.dirname, "rug-pull.ts");

/** Makes COUNTERSIGN_HOME with an empty inbox; removed after the file. */
export const testInstallation = async (): Promise<Installation> => {
  const folder = path.join(root, "node_modules", ".cache", "countersign-tests");
  await mkdir(folder, { recursive: true });
  const home = await mkdtemp(path.join(folder, "home-"));
  await mkdir(path.join(home, "inbox"));
  afterAll(() => rm(home, { recursive: true, force: true }));

  return { home, root };
};

/** Builds the customers server where the runner looks for it. */
export const bundleCustomers = async ({ home }: Installation): Promise<void> => {
  await build({
    entryPoints: [path.join(root, "server/mcp/customers/main.ts")],
    outfile: path.join(home, "build", "customers.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": root },
    logLevel: "error",
  });
};
