import path from "node:path";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";

type Inputs = Metafile["inputs"];

const bundle = async (entry: string): Promise<Inputs> => {
  const { metafile } = await build({
    absWorkingDir: path.resolve("."),
    entryPoints: [entry],
    outdir: "unused",
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    logLevel: "silent",
  });

  return metafile.inputs;
};

const importersOf = (inputs: Inputs, wanted: RegExp): string[] =>
  Object.entries(inputs)
    .filter(([, { imports }]) => imports.some((each) => each.external === true && wanted.test(each.path)))
    .map(([file]) => file)
    .toSorted();

const filesIn = (inputs: Inputs, wanted: RegExp): string[] => Object.keys(inputs).filter((file) => wanted.test(file));

let runner: Inputs;
let toolHost: Inputs;
beforeAll(async () => {
  runner = await bundle("./server/runner/main.ts");
  toolHost = await bundle("./server/tool-host/main.ts");
}, 120_000);

describe("the control plane", () => {
  it("contains no MCP client or transport", () => {
    expect(importersOf(runner, /^@modelcontextprotocol\//)).toEqual([]);
    expect(
      filesIn(runner, /^server\/mcp\/(?:build-catalog|connect|connection|credentials|local-connector|oauth|sandbox|stdio-transport)\.ts$/),
    ).toEqual([]);
    expect(filesIn(runner, /^server\/(?:tool-host\/(?:host|main)|notify\/send)\.ts$/)).toEqual([]);
  });

  it("starts only our own programs", () => {
    expect(importersOf(runner, /^(?:node:)?(?:child_process|cluster|worker_threads)$/)).toEqual([
      "server/ipc/spawn.ts",
      "server/sandbox/spawn.ts",
    ]);
  });
});

describe("the tool host", () => {
  it("speaks MCP", () => {
    expect(importersOf(toolHost, /^@modelcontextprotocol\//)).not.toEqual([]);
  });

  it("contains no database, vault or signing key", () => {
    expect(importersOf(toolHost, /^(?:pg|pg-boss|@prisma\/.*|@node-rs\/.*)$/)).toEqual([]);
    expect(filesIn(toolHost, /^server\/(?:db|store|runner|models|executors|architect|auth)\/(?!loopback|trusted-proxies)/)).toEqual([]);
    expect(filesIn(toolHost, /^server\/security\/(?:vault|keyring|journal)/)).toEqual([]);
  });
});
