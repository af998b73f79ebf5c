import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import type * as throwAway from "@/server/executors/testing/throw-away/run";

const FOLDER = "@/server/executors/testing/throw-away";

/** Lines that a new kind adds, by file, as in docs/architecture.md. */
const REGISTRATION: Readonly<Record<string, readonly (readonly [before: string, added: string])[]>> = {
  "lib/graph/kinds.ts": [
    ["import { evolutionKind }", `import { echoKind } from "${FOLDER}/kind";\n`],
    ["  judge: judgeKind,", "  echo: echoKind,\n"],
  ],
  "lib/graph/document.ts": [
    [
      '  z.strictObject({ ...nodeBase, kind: z.literal("judge")',
      '  z.strictObject({ ...nodeBase, kind: z.literal("echo"), config: NODE_KINDS.echo.config }),\n',
    ],
  ],
  "server/executors/quiet.ts": [
    ["import { judgeExecutor }", `import { runEcho } from "${FOLDER}/executor";\n`],
    ["  judge: judgeExecutor,", "  echo: runEcho,\n"],
  ],
};

const register: Plugin = {
  name: "register",
  setup: (bundler) => {
    bundler.onLoad({ filter: /\/(?:kinds|document|quiet)\.ts$/ }, async ({ path: file }) => {
      const added = REGISTRATION[path.relative(process.cwd(), file)];
      if (!added) return undefined;
      const text = await readFile(file, "utf8");

      return {
        loader: "ts",
        contents: added.reduce((changed, [before, line]) => {
          expect(changed.split(before)).toHaveLength(2);

          return changed.replace(before, () => line + before);
        }, text),
      };
    });
  },
};

let folder = "";
let program: typeof throwAway;

beforeAll(async () => {
  // Packages resolve from here.
  folder = await mkdtemp(path.join(process.cwd(), "node_modules/.throw-away-"));
  const { outputFiles } = await build({
    entryPoints: ["server/executors/testing/throw-away/run.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    packages: "external",
    write: false,
    logLevel: "silent",
    plugins: [register],
  });
  const file = path.join(folder, "program.mjs");
  await writeFile(file, outputFiles[0]?.text ?? "");
  program = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as typeof throwAway;
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it("validates a kind that only its registration names", () => {
  expect(program.listProblems(["topic"])).toEqual([]);
  // Its declared read needs a grant.
  expect(program.listProblems([])).toContain("path_not_granted");
});

it("analyses the kind", () => {
  expect(program.listSinks()).toContainEqual({ kind: "untrusted", node: "two" });
});

it("runs the kind to the end", async () => {
  expect(await program.playEchoes()).toEqual({ status: "completed", memory: { topic: "plans", said: "plans", again: "plans" } });
});
