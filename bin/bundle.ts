/** Bundles for plain Node, which knows no `@/` addresses. */
import fs from "node:fs/promises";
import { build, context, formatMessages, stop, type BuildOptions, type Plugin } from "esbuild";

export type Programs = {
  readonly root: string;
  /** Node must find `node_modules` in or above it. */
  readonly outdir: string;
  /** By name: `<outdir>/<name>.mjs`. */
  readonly entries: Readonly<Record<string, string>>;
};

export type BundleOptions = Pick<BuildOptions, "splitting" | "plugins" | "packages">;

/** Native code, and a package that `pg` looks for. */
const OUTSIDE = ["@node-rs/argon2", "koffi", "pg-native"];

/** All is at the first position. */
const NO_MAP = Buffer.from(JSON.stringify({ version: 3, sources: [""], mappings: "AAAA" })).toString("base64");

/** Node reads the whole map for a first stack; most of it would be of packages. */
const unmapPackages: Plugin = {
  name: "unmap-packages",
  setup: (plugin) => {
    plugin.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => ({
      contents: `${await fs.readFile(path, "utf8")}\n//# sourceMappingURL=data:application/json;base64,${NO_MAP}`,
      loader: "js",
    }));
  },
};

const optionsOf = ({ root, outdir, entries }: Programs): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { ...entries },
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  external: OUTSIDE,
  // Packages that call `require`.
  banner: { js: `const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);` },
  sourcemap: "linked",
  // Processes would keep them.
  sourcesContent: false,
  logLevel: "silent",
});

/**
 * With their packages, programs start in half the time.
 * @param options.splitting loads parts on demand
 * @param options.packages external: for what starts once
 * @throws Error with esbuild's words
 */
export const bundlePrograms = async (programs: Programs, { plugins = [], ...options }: BundleOptions = {}): Promise<void> => {
  try {
    await build({ ...optionsOf(programs), ...options, plugins: [...plugins, unmapPackages] });
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
  // Rebuilds would take seconds.
  const watching = await context({ ...optionsOf(programs), packages: "external", plugins: [report] });
  await watching.watch();

  return async () => {
    await watching.dispose();
    await stop();
  };
};
