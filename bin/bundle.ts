/** Our programs as files that plain Node runs, which knows no `@/` addresses: every one is bundled here, in the same way. */
import { build, context, formatMessages, stop, type BuildOptions, type Plugin } from "esbuild";

export type Programs = {
  /** The folder of the sources; entries are found from here. */
  readonly root: string;
  /** Packages stay outside of the bundles: Node has to find `node_modules` in or above this folder. */
  readonly outdir: string;
  /** The file of each program, by the name that its bundle gets: `<outdir>/<name>.mjs`. */
  readonly entries: Readonly<Record<string, string>>;
};

type Options = Pick<BuildOptions, "splitting" | "plugins">;

const optionsOf = ({ root, outdir, entries }: Programs): BuildOptions => ({
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
});

/**
 * @param options.splitting for a program that does not load what it does not need
 * @throws Error with esbuild's words about what does not build
 */
export const bundlePrograms = async (programs: Programs, options: Options = {}): Promise<void> => {
  try {
    await build({ ...optionsOf(programs), ...options });
  } finally {
    // Its service would stay as an idle process for as long as this one runs.
    await stop();
  }
};

/**
 * Bundles again whenever a source changes.
 * @param onBuilt called after each build, the first included, with esbuild's words about what does not build
 * @returns what ends it
 */
export const watchPrograms = async (programs: Programs, onBuilt: (errors: readonly string[]) => void): Promise<() => Promise<void>> => {
  const report: Plugin = {
    name: "report",
    setup: (watched) => watched.onEnd(async ({ errors }) => onBuilt(await formatMessages(errors, { kind: "error" }))),
  };
  const watching = await context({ ...optionsOf(programs), plugins: [report] });
  await watching.watch();

  return async () => {
    await watching.dispose();
    await stop();
  };
};
