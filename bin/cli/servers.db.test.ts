/** Real commands and npm against a test registry. */
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Program } from "@/lib/mcp/program";
import { startNpmRegistry, type NpmRegistry } from "@/server/mcp/testing/npm-registry";
import { makeProgramFolder } from "@/server/mcp/testing/programs";
import { countersignHere, type Ended } from "./testing.ts";

vi.setConfig({ testTimeout: 120_000 });

type Listed = Program & { readonly digest: string; readonly status: string };

let outside: string;
let home: string;
let registry: NpmRegistry;

beforeAll(async () => {
  outside = await makeProgramFolder();
  home = path.join(outside, "state");
  fs.mkdirSync(path.join(home, "keys"), { recursive: true });
  fs.mkdirSync(path.join(outside, "docs"));
  const script = `node -e "require('fs').writeFileSync('${path.join(outside, "marker")}', '')"`;
  registry = await startNpmRegistry({
    name: "@scope/tiny",
    version: "1.2.3",
    files: { "index.js": "#!/usr/bin/env node\n" },
    more: { bin: { tiny: "index.js" }, scripts: { preinstall: script, install: script, postinstall: script } },
  });
});
afterAll(() => {
  registry.close();
  fs.rmSync(outside, { recursive: true, force: true });
});

const servers = (...args: string[]): Promise<Ended> =>
  countersignHere(["servers", ...args], { COUNTERSIGN_HOME: home, npm_config_registry: registry.url });
const listed = async (): Promise<readonly Listed[]> =>
  (JSON.parse((await servers("list")).stdout) as Listed[]).filter(({ runs }) => runs.kind !== "bundled");

test("installs one exact version into a separate folder, with a lockfile and without install scripts", async () => {
  const ended = await servers(
    "install",
    "@scope/tiny@1.2.3",
    "--arg=--read-only",
    "--arg={docs}",
    "--folder",
    `docs=${path.join(outside, "docs")}`,
    "--secret=token",
    "--env=API_TOKEN={token}",
  );
  expect(ended).toMatchObject({ code: 0, stderr: "countersign: tiny is now available. Admins can add it under MCP servers.\n" });
  expect(JSON.parse(ended.stdout)).toMatchObject({
    id: "tiny",
    runs: { kind: "package", package: "@scope/tiny", version: "1.2.3", entry: "index.js" },
    args: ["--read-only", "{docs}"],
    env: { API_TOKEN: "{token}" },
    placeholders: { docs: { type: "folder", below: path.join(outside, "docs") }, token: { type: "secret" } },
  });
  expect(fs.readdirSync(path.join(home, "programs"))).toEqual(["tiny"]);
  expect(fs.existsSync(path.join(home, "programs", "tiny", "package-lock.json"))).toBe(true);
  expect(fs.existsSync(path.join(outside, "marker"))).toBe(false);
  expect(fs.statSync(path.join(home, "keys", "programs.json")).mode & 0o777).toBe(0o600);
  expect(await listed()).toMatchObject([{ id: "tiny", status: "ok" }]);
  fs.appendFileSync(path.join(home, "programs", "tiny", "node_modules", "@scope", "tiny", "index.js"), "// more");
  expect(await listed()).toMatchObject([{ id: "tiny", status: "changed" }]);
});

test("installs the newest version when none is named, and runs install scripts only when asked to", async () => {
  expect(await servers("install", "@scope/tiny")).toMatchObject({ code: 0 });
  expect(await listed()).toMatchObject([{ id: "tiny", status: "ok", runs: { version: "1.2.3" } }]);
  expect(fs.existsSync(path.join(outside, "marker"))).toBe(false);
  const unconfirmed = await servers("upgrade", "tiny", "--scripts");
  expect(unconfirmed).toMatchObject({ code: 1, stdout: "" });
  expect(unconfirmed.stderr).toContain("--scripts runs install scripts of the package: add --yes");
  expect(fs.existsSync(path.join(outside, "marker"))).toBe(false);
  const dry = await servers("upgrade", "tiny", "--json");
  expect(dry).toMatchObject({ code: 0, stderr: "countersign: nothing was changed; --yes applies this upgrade\n" });
  expect(JSON.parse(dry.stdout)).toMatchObject({ applied: false, version: { before: "1.2.3", after: "1.2.3" }, servers: null });
  expect(fs.existsSync(path.join(outside, "marker"))).toBe(false);
  expect(await servers("upgrade", "tiny", "--scripts", "--yes")).toMatchObject({ code: 0 });
  expect(fs.existsSync(path.join(outside, "marker"))).toBe(true);
});

test("allows a file by its path and digest, and removes both again", async () => {
  const file = path.join(outside, "server.mjs");
  fs.writeFileSync(file, "", { mode: 0o600 });
  expect(await servers("allow", file, "--sha256", "0".repeat(64))).toMatchObject({ code: 1, stdout: "" });
  expect(await servers("install", "--program", file, "--id", "local", "--choice", "mode=ro,rw", "--arg={mode}")).toMatchObject({ code: 0 });
  expect((await listed()).map(({ id, status }) => [id, status])).toContainEqual(["local", "ok"]);
  for (const id of ["local", "tiny"]) expect(await servers("remove", id)).toMatchObject({ code: 0 });
  expect(await listed()).toEqual([]);
  expect(fs.readdirSync(path.join(home, "programs"))).toEqual([]);
  expect(await servers("remove", "local")).toMatchObject({ code: 1, stderr: "countersign: program local not found\n" });
});

test.each([
  [["install", "@scope/tiny@^1.0.0"], "has no exact version"],
  [["install", "@scope/../tiny@1.2.3"], "has no exact version"],
  [["install", "@scope/..@1.2.3"], "has no exact version"],
  [["install", "--", "--workspaces@1.2.3"], "has no exact version"],
  [["install", "--python", "../tiny==1.0"], "is no Python package"],
  [["install", "--python", "--program", "tiny"], "use one of --python, --program and --image"],
  [["install", "--program", "/bin/sh"], "runs other code"],
  [["upgrade", "none"], "There is no program none."],
  [["install", "@scope/tiny@1.2.4"], "npm failed"],
  [["install", "@scope/tiny@1.2.3", "--bin", "other"], "Name one program of the package with --bin: tiny."],
  [["install", "mcp-remote@1.0.0"], "runs other programs"],
  [["install", "@scope/tiny@1.2.3", "--folder", "docs=/", "--arg={docs}"], "absolute path"],
  [["install", "@scope/tiny@1.2.3", "--id", "customers"], "name of a bundled server"],
  [["install", "@scope/tiny@1.2.3", "--arg=/"], "a folder of Countersign or of the system"],
  [["install", "@scope/tiny@1.2.3", "--folder", "docs"], "--folder expects NAME=VALUE"],
  [["install", "@scope/tiny@1.2.3", "--network", "all"], '--network accepts only "direct"'],
  [["allow", "bin/countersign.mjs"], "a folder of Countersign or of the system"],
  [["allow", "/bin/sh"], "runs other code"],
  [["allow", "/nowhere/server.mjs"], "no regular file"],
  [["start"], "usage: countersign servers install | upgrade | list | remove"],
])("rejects %j", async (args, message) => {
  const ended = await servers(...args);
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toContain(message);
  expect(await listed()).toEqual([]);
});

test("requires an installation", async () => {
  const ended = await countersignHere(["servers", "list"], { COUNTERSIGN_HOME: path.join(outside, "nothing") });
  expect(ended).toMatchObject({
    code: 1,
    stderr: `countersign: no installation found in ${path.join(outside, "nothing")}: start Countersign first (npm start), or set COUNTERSIGN_HOME\n`,
  });
});
