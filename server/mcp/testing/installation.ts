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

/** Builds servers of ours where the runner looks for them. */
export const bundleServers = async ({ home }: Installation, ids: readonly string[]): Promise<void> => {
  await build({
    entryPoints: Object.fromEntries(ids.map((id) => [id, path.join(root, "server/mcp", id, "main.ts")])),
    outdir: path.join(home, "build"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { "@": root },
    logLevel: "error",
  });
};

export const bundleCustomers = (installation: Installation): Promise<void> => bundleServers(installation, ["customers"]);
