/** Builds the npm package's `dist`. Run by `npm pack`. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build, stop, type BuildOptions } from "esbuild";
import { ROOT } from "../start/settings.ts";
import { verifierHtml } from "../verifier/build.ts";
import { smaller } from "./smaller.ts";
import { resolveAliases } from "./types.ts";
import { writeErr } from "../terminal.mjs";

const dist = path.join(ROOT, "dist");

const shared: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  format: "esm",
  legalComments: "none",
  logLevel: "warning",
};

const buildLibrary = () =>
  build({
    ...shared,
    entryPoints: ["./lib/public/engine.ts", "./lib/public/client.ts"],
    outdir: dist,
    platform: "neutral",
    target: "es2024",
    packages: "external",
  });

/** Complete: pages can load it without a bundler. */
const buildVerifier = () =>
  build({
    ...shared,
    entryPoints: ["./lib/public/verify.ts"],
    outdir: path.join(dist, "verify"),
    splitting: true,
    platform: "browser",
    target: "es2024",
    minify: true,
    plugins: [smaller],
  });

const buildCommand = async (): Promise<void> => {
  const outdir = path.join(dist, "cli");

  await build({
    ...shared,
    entryPoints: { main: "./bin/cli/packed.ts" },
    outdir,
    splitting: true,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    target: "node22",
    packages: "external",
  });
  fs.cpSync(path.join(ROOT, "prisma", "migrations"), path.join(outdir, "migrations"), { recursive: true });
  fs.writeFileSync(path.join(outdir, "countersign-verifier.html"), await verifierHtml(ROOT));
};

const buildTypes = (): void => {
  const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", path.join(import.meta.dirname, "types.tsconfig.json")], {
    encoding: "utf8",
  });

  if (status !== 0) throw new Error(`The types do not build:\n${stdout}`);
  resolveAliases(path.join(dist, "types"));
};

fs.rmSync(dist, { recursive: true, force: true });
try {
  await Promise.all([buildLibrary(), buildVerifier(), buildCommand()]);
  buildTypes();
} catch (error) {
  writeErr(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await stop();
}
