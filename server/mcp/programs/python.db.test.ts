/** Real pip and a real Python server, from wheels in a folder. */
import { appendFile, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { env as ownEnvironment } from "node:process";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Program } from "@/lib/mcp/program";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { addMcpServer } from "@/server/store/mcp/servers";
import { probeIsolation } from "@/server/sandbox/probe";
import { testDatabase } from "@/server/testing/database";
import type { McpService } from "@/server/mcp/service";
import { callTool } from "@/server/mcp/testing/calling";
import { testInstallation } from "@/server/mcp/testing/installation";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { manifestOf } from "@/server/mcp/testing/programs";
import { reviewAndActivate, testWorkspace } from "@/server/mcp/testing/registered";
import { buildWheel, PYTHON_SERVER } from "@/server/mcp/testing/wheels";
import { installPackage, type Installed } from "./install";
import { resolveLaunch } from "./launch";
import { readPrograms } from "./list";
import { listProgramTools } from "./list-tools";
import { declared, refusal } from "./testing/place";
import { upgradeProgram } from "./upgrade";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const urls = await testDatabase("runner");
const at = await testInstallation();

let wheels: string;
let mcp: McpService;
let workspace: string;
let env: Record<string, string>;

const SPEC: Installed = { kind: "python", name: "tiny-mcp", version: "1.0.0", bin: null, scripts: false };
const install = (spec: Partial<Installed> = {}, id = "tiny"): Promise<Program> =>
  installPackage({ ...SPEC, ...spec }, declared({ id }), at, env);
const libraryOf = async (id: string): Promise<string> => {
  const lib = path.join(at.home, "programs", id, "lib");
  const [python = ""] = await readdir(lib);

  return path.join(lib, python, "site-packages");
};

beforeAll(async () => {
  wheels = await realpath(await mkdtemp(path.join(os.tmpdir(), "countersign-wheels-")));
  const server = (version: string, source = PYTHON_SERVER): void =>
    buildWheel(wheels, {
      name: "tiny_mcp",
      version,
      files: { "tiny_mcp/__init__.py": source },
      scripts: { "tiny-mcp": "tiny_mcp:main", other: "tiny_mcp:other" },
      requires: ["tiny-dep"],
    });
  server("1.0.0");
  buildWheel(wheels, { name: "tiny_dep", version: "1.0", files: { "tiny_dep.py": 'NAME = "tiny"\n' } });
  env = {
    PATH: ownEnvironment["PATH"] ?? "",
    HOME: wheels,
    PIP_NO_INDEX: "1",
    PIP_FIND_LINKS: wheels,
    UV_NO_INDEX: "1",
    UV_FIND_LINKS: wheels,
  };
  workspace = await testWorkspace(urls.admin);
  mcp = createLocalMcp({ clock: systemClock, installation: at });
  await install();
  const tools = '"tools": [';
  server("1.1.0", `${PYTHON_SERVER.replace(tools, `${tools}{"name": "when", "inputSchema": {"type": "object"}}, `)}# newer\n`);
});
afterAll(async () => {
  await mcp.close();
  await rm(wheels, { recursive: true, force: true });
});

it("a Python server runs in its own environment, isolated from variables and user packages", async () => {
  const [program] = readPrograms(at.home);
  if (!program) throw new Error("nothing was installed");
  expect(program.runs).toMatchObject({ kind: "python", package: "tiny-mcp", version: "1.0.0", entry: "tiny_mcp:main" });
  await addMcpServer(workspace, { id: "tiny", name: "tiny", transport: { type: "stdio", manifest: manifestOf(program) } }, mcp.egress);
  await mcp.inspect(workspace, "tiny");
  await reviewAndActivate(workspace, "tiny", mcp, ["node"]);
  const answer = await callTool(mcp, workspace, "tiny", "where", {});
  expect(answer).toMatchObject({ status: "ok" });
  const { content } = (answer.result ?? {}) as { content: readonly { text: string }[] };
  const facts = JSON.parse(content[0]?.text ?? "") as { executable: string; argv: string[]; path: string[]; bytecode: boolean };
  expect(facts).toMatchObject({ executable: path.join(at.home, "programs", "tiny", "bin", "python"), argv: ["tiny-mcp"], bytecode: true });
  expect(facts.path).toContain(await libraryOf("tiny"));
  expect(facts.path).not.toContain("");
});

it("has the same digest when it is installed again", async () => {
  const [before] = readPrograms(at.home);
  expect((await install()).files).toBe(before?.files);
});

it.each([
  ["a module", async () => appendFile(path.join(await libraryOf("changed"), "tiny_dep.py"), "# more")],
  ["a module more", async () => writeFile(path.join(await libraryOf("changed"), "sitecustomize.py"), "")],
  ["the interpreter", async () => appendFile(path.join(at.home, "programs", "changed", "bin", "python"), "x")],
  ["where the standard library is", async () => writeFile(path.join(at.home, "programs", "changed", "pyvenv.cfg"), "home = /tmp\n")],
  ["a link that leads out", async () => symlink("/etc/hosts", path.join(await libraryOf("changed"), "hosts"))],
])("is not started after a change of %s", async (_what, change) => {
  const program = await install({}, "changed");
  expect((await resolveLaunch(manifestOf(program), at)).entry).toContain("bin/python");
  await change();
  expect(await refusal(resolveLaunch(manifestOf(program), at))).not.toBe("let in");
});

it.each([
  [{ version: "9.0.0" }, "failed"],
  [{ bin: "missing" }, "Name one program of the package with --bin: tiny-mcp, other."],
  [{ name: "tiny-dep", version: null }, "Name one program of the package with --bin: none."],
  [{ name: "pip", version: null }, "runs other programs"],
])("%j is not installed", async (spec, message) => {
  expect(await refusal(install(spec, "refused"))).toContain(message);
  expect(readPrograms(at.home).map(({ id }) => id)).not.toContain("refused");
});

it("an upgrade names versions, files and tools, and changes nothing before it is applied", async () => {
  const before = await install({}, "older");
  const asked = { id: "older", version: null, bin: null, image: null, scripts: false };
  const scratch = path.join(at.home, "scratch");
  const isolation = () => probeIsolation(at.root, scratch, readEnv().COUNTERSIGN_SERVER_UIDS.first);
  const list = (program: Program) =>
    listProgramTools(program, {}, { installation: at, scratch, clock: systemClock, isolation, engineEnvironment: {} });
  const dry = await upgradeProgram({ ...asked, apply: false }, { at, env, engineEnvironment: {}, list });
  expect(dry).toMatchObject({
    version: { before: "1.0.0", after: "1.1.0" },
    dependencies: { added: [], removed: [], changed: ["tiny-mcp 1.0.0 -> 1.1.0"] },
    tools: { failure: null, changes: [{ tool: "when", kind: "added" }] },
    applied: false,
  });
  expect(dry.files.changed).toContain(
    path.relative(path.join(at.home, "programs", "older"), path.join(await libraryOf("older"), "tiny_mcp", "__init__.py")),
  );
  expect(await refusal(resolveLaunch(manifestOf(before), at))).toBe("let in");
  const done = await upgradeProgram({ ...asked, apply: true }, { at, env, engineEnvironment: {}, list });
  expect(done.digest).toEqual(dry.digest);
  expect(await refusal(resolveLaunch(manifestOf(before), at))).toContain("not the one that was confirmed");
  expect(await readFile(path.join(await libraryOf("older"), "tiny_mcp", "__init__.py"), "utf8")).toContain("# newer");
});
