/** Our programs as files that plain Node runs, which knows no `@/` addresses: every one is bundled here, in the same way. */
import { build, stop, type BuildOptions } from "esbuild";

export type Programs = {
  /** The folder of the sources; entries are found from here. */
  readonly root: string;
  /** Packages stay outside of the bundles: Node has to find `node_modules` in or above this folder. */
  readonly outdir: string;
  /** The file of each program, by the name that its bundle gets: `<outdir>/<name>.mjs`. */
  readonly entries: Readonly<Record<string, string>>;
};

/**
 * @param options.splitting for a program that does not load what it does not need
 * @throws Error with esbuild's words about what does not build
 */
export const bundlePrograms = async (
  { root, outdir, entries }: Programs,
  options: Pick<BuildOptions, "splitting" | "plugins"> = {},
): Promise<void> => {
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { ...entries },
      outdir,
      outExtension: { ".js": ".mjs" },
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node22",
      packages: "external",
      sourcemap: "linked",
      logLevel: "silent",
      ...options,
    });
  } finally {
    // Its service would stay as an idle process for as long as this one runs.
    await stop();
  }
};
