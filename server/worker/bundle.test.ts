import { build, type Metafile } from "esbuild";
import { expect, it } from "vitest";

const bundle = async (entry: string): Promise<Metafile> => {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node22",
    packages: "external",
    write: false,
    metafile: true,
    logLevel: "silent",
  });

  return metafile;
};

const inputsOf = ({ inputs }: Metafile): readonly string[] => Object.keys(inputs);

const packagesOf = ({ outputs }: Metafile): readonly string[] =>
  Object.values(outputs).flatMap(({ imports }) => imports.flatMap(({ path, external }) => (external ? [path] : [])));

/** Executor modules allowed in the control plane. */
const OF_CONTROL = new Set(
  ["approval", "compute", "contract", "judge", "privileged", "quiet", "router", "subgraph", "transform", "wait", "written"].map(
    (name) => `server/executors/${name}.ts`,
  ),
);

it("keeps the AI SDK and acting executors out of the control plane", async () => {
  const metafile = await bundle("server/runner/main.ts");
  const inputs = inputsOf(metafile);
  expect(packagesOf(metafile).filter((name) => name === "ai" || name.startsWith("@ai-sdk/"))).toEqual([]);
  expect(inputs.filter((file) => file.startsWith("server/executors/") && !OF_CONTROL.has(file))).toEqual([]);
  expect(inputs.filter((file) => file.startsWith("server/models/sdk/"))).toEqual([]);
  // Guards against checking the wrong program.
  expect(inputs).toContain("server/executors/quiet.ts");
  expect(packagesOf(metafile)).toContain("pg");
});

it("keeps keys, store and control plane out of the worker", async () => {
  const metafile = await bundle("server/worker/main.ts");
  const forbidden =
    /^server\/(?:store|db|runner|mcp|seed|web|trpc|auth|cli|live|outside)\/|^server\/(?:env|log|metrics)\.ts$|^server\/worker\/(?:pool|executions|start)\.ts$/;
  const keys = /^server\/security\/(?!address|egress)/;
  expect(inputsOf(metafile).filter((file) => forbidden.test(file) || keys.test(file))).toEqual([]);
  const ours = ["pg", "pg-boss", "@prisma/client", "@prisma/adapter-pg", "prom-client", "@modelcontextprotocol/client", "next"];
  expect(packagesOf(metafile).filter((name) => ours.includes(name) || name === "node:child_process")).toEqual([]);
  expect(inputsOf(metafile)).toContain("server/executors/registry.ts");
  expect(packagesOf(metafile)).toContain("ai");
});
