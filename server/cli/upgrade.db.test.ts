import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import type { CliHost } from "@/server/cli/host";
import { systemClock } from "@/server/clock";
import { RUG_PULL, testInstallation } from "@/server/mcp/testing/installation";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { makeProgramFolder, offerInPlace } from "@/server/mcp/testing/programs";
import { activeServer, serverRow, testWorkspace } from "@/server/mcp/testing/registered";
import { setMcpLabels } from "@/server/store/mcp/servers";
import { testDatabase } from "@/server/testing/database";
import { runCli } from "./main";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const urls = await testDatabase("runner");
const at = await testInstallation();
let workspace: string;
let file: string;

const run = async (...argv: string[]): Promise<{ readonly out: string; readonly err: string }> => {
  let [out, err] = ["", ""];
  const host: CliHost = {
    home: at.home,
    cwd: at.home,
    root: at.root,
    ordinaryEnvironment: {},
    installerEnvironment: {},
    secret: () => undefined,
    input: process.stdin,
    output: process.stdout,
    out: async (text) => void (out += text),
    err: async (text) => void (err += text),
    defer: () => undefined,
    verifierHtml: async () => "",
    openInstalledDatabase: () => true,
    findDatabaseUrl: () => null,
    openThrowAwayDatabase: async () => undefined,
  };
  expect(await runCli(["servers", ...argv], host)).toBe(0);

  return { out, err };
};

const change = async (edit: (source: string) => string): Promise<void> => writeFile(file, edit(await readFile(file, "utf8")));

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  file = path.join(await makeProgramFolder(), "tools.ts");
  await writeFile(file, await readFile(RUG_PULL, "utf8"), { mode: 0o644 });
  const manifest = await offerInPlace(at, "tools", file);
  const mcp = createLocalMcp({ clock: systemClock, installation: at });
  const labels = { effect: "read", idempotent: true, output: "internal", outward: false, clearance: "internal" } as const;
  await activeServer(workspace, mcp, { id: "tools", manifest, agents: ["node"] });
  const { revision } = await serverRow(workspace, "tools", mcp);
  await setMcpLabels(workspace, "tools", revision, { echo: labels, heard: labels });
  await mcp.close();
});

it("compares nothing else when the program is unchanged, and names the servers' labels", async () => {
  const { out, err } = await run("upgrade", "tools");
  expect(out).toContain("Tools\n  no changes\n");
  expect(out).toContain(`  tools (workspace ${workspace})\n      labels kept: echo, heard\n`);
  expect(out).toContain("      not labelled yet (treated as irreversible): become, misbehave, save_to_memory\n      to review: none\n");
  expect(err).toBe("countersign: nothing was changed; --yes applies this upgrade\n");
});

it("shows which tools and labels change before the operator takes the program over", async () => {
  const before = await readFile(path.join(at.home, "keys", "programs.json"), "utf8");
  await change((source) =>
    source
      .replace('shape: Shape = "honest"', 'shape: Shape = "added"')
      .replace('{ name: "heard",', '{ name: "listened\\u001b[2J",')
      .replace('description: "Changes the tools."', 'description: "Changes\\u202e the tools."')
      .replace("maxLength: 100", "maxLength: 900"),
  );
  const json = JSON.parse((await run("upgrade", "tools", "--json")).out) as Record<string, unknown>;
  const names = (changes: unknown) => (changes as { tool: string; kind: string }[]).map(({ tool, kind }) => [tool, kind]);
  const [server] = json["servers"] as { labels: unknown; review: unknown }[];
  expect(json).toMatchObject({
    applied: false,
    tools: { changes: null, failure: "The installed version did not list its tools. The earlier version is gone." },
  });
  expect(json["tools"]).not.toHaveProperty("after");
  expect(server?.labels).toEqual({ kept: ["echo"], unlabelled: ["become", "echo_all", "misbehave", "save_to_memory"], lost: ["heard"] });
  expect(names(server?.review)).toEqual([
    ["become", "changed"],
    ["echo", "changed"],
    ["echo_all", "added"],
    ["heard", "removed"],
  ]);
  const { out } = await run("upgrade", "tools");
  expect(out).toContain("~ echo: changed");
  expect(out).toContain("input_schema.properties.text.maxLength: 100 -> 900");
  expect(out).toContain("! wider arguments: text has maxLength 900 instead of 100");
  expect(out).toContain("labels of tools that are gone: heard");
  expect(out).toContain("Changes\\u202e the tools.");
  expect(/[^\P{Cc}\n]|\p{Bidi_Control}/u.test(out)).toBe(false);
  expect(await readFile(path.join(at.home, "keys", "programs.json"), "utf8")).toBe(before);
  expect((await run("upgrade", "tools", "--yes")).out).toContain("+ echo_all: new");
  expect(await readFile(path.join(at.home, "keys", "programs.json"), "utf8")).not.toBe(before);
});

it("says why a new version that does not list its tools is not compared", async () => {
  await change((source) => `console.error("licence missing"); process.exit(4);\n${source}`);
  const { out } = await run("upgrade", "tools");
  expect(out).toContain(
    "not compared: The new version did not list its tools. The MCP server did not respond: its process exited with code 4.",
  );
  expect(out).not.toContain("Servers\n");
});
