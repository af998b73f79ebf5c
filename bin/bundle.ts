/** Bundles for plain Node, which knows no `@/` addresses. */
import { build, context, formatMessages, stop, type BuildOptions, type Plugin } from "esbuild";

export type Programs = {
  readonly root: string;
  /** Node must find `node_modules` in or above it. */
  readonly outdir: string;
  /** By name: `<outdir>/<name>.mjs`. */
  readonly entries: Readonly<Record<string, string>>;
};

export type BundleOptions = Pick<BuildOptions, "splitting" | "plugins">;

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
  // Processes would keep them.
  sourcesContent: false,
  logLevel: "silent",
});

/** @param options.splitting loads parts on demand @throws Error with esbuild's words */
export const bundlePrograms = async (programs: Programs, options: BundleOptions = {}): Promise<void> => {
  try {
    await build({ ...optionsOf(programs), ...options });
  } finally {
    // Its idle service would stay.
    await stop();
  }
};

/**
 * Bundles at every change.
 * @param onBuilt gets each build's errors
 * @returns a function that stops
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
