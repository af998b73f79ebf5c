/** `npm run interop`: registers public MCP servers as an operator and an admin would, one after another. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { env as ownEnvironment } from "node:process";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { proposeLabels } from "@/lib/mcp/label-proposal";
import type { RegistryCommand } from "@/lib/mcp/registry-command";
import { getMcpSecretName } from "@/lib/secrets/reference";
import type { McpTransport } from "@/lib/mcp/transport";
import { systemClock } from "@/server/clock";
import { installPackage } from "@/server/mcp/programs/install";
import { applyRegistryCommand } from "@/server/mcp/registry";
import type { McpService } from "@/server/mcp/service";
import { testInstallation } from "@/server/mcp/testing/installation";
import { createLocalMcp } from "@/server/mcp/testing/local-mcp";
import { manifestOf } from "@/server/mcp/testing/programs";
import { asAdmin, serverRow, testWorkspace } from "@/server/mcp/testing/registered";
import { sealSecret } from "@/server/security/secrets";
import { createVault } from "@/server/security/vault";
import { testDatabase } from "@/server/testing/database";
import { CANDIDATES, type Candidate } from "./catalog";
import { interopResultsSchema, type InteropResult, type InteropResults } from "./result";

vi.setConfig({ testTimeout: 400_000, hookTimeout: 60_000 });

const urls = await testDatabase("runner");
const at = await testInstallation();
const results: InteropResult[] = [];
const vault = createVault("5".repeat(64));
const FOR_INSTALLERS = /^(?:PATH|HOME|NODE_EXTRA_CA_CERTS|(?:npm_config|pip|uv)_\w+)$/iu;
const installer = Object.fromEntries(
  Object.entries(ownEnvironment).flatMap(([name, value]) => (value !== undefined && FOR_INSTALLERS.test(name) ? [[name, value]] : [])),
) as Readonly<Record<string, string>>;
const MOST_CHARS = 200;
const RESULTS = path.join(import.meta.dirname, "results.json");

const ADMIN = { type: "user", id: "00000000-0000-4000-8000-000000000001", role: "admin", auditor: false } as const;

let workspace: string;
let mcp: McpService;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

const REMOTES = [
  { package: "@modelcontextprotocol/server-everything", args: ["streamableHttp"], portOption: null },
  { package: "@playwright/mcp", args: ["--headless", "--allowed-hosts", "*"], portOption: "--port" },
  { package: "@upstash/context7-mcp", args: ["--transport", "http"], portOption: "--port" },
] as const;

const earlierSchema = z.object({ results: interopResultsSchema.shape.results });

const EARLIER = earlierSchema.safeParse(JSON.parse(readFileSync(RESULTS, "utf8"))).data?.results ?? [];

const isListed = ({ kind, name }: InteropResult): boolean =>
  kind === "remote"
    ? REMOTES.some((remote) => remote.package === name)
    : CANDIDATES.some((each) => each.kind === kind && each.name === name);

const isSame = (one: InteropResult, other: InteropResult): boolean => one.kind === other.kind && one.name === other.name;

/** After each server: a run that is cut off keeps its rows. */
const listAll = (): readonly InteropResult[] => {
  const kept = EARLIER.filter((row) => isListed(row)).map((row) => results.find((one) => isSame(one, row)) ?? row);

  return [...kept, ...results.filter((row) => !kept.some((one) => isSame(one, row)))];
};

const saveResults = (): void => {
  const all: InteropResults = {
    day: new Date().toISOString().slice(0, 10),
    pythonIndex: installer["PIP_NO_INDEX"] === undefined,
    results: [...listAll()],
  };
  writeFileSync(RESULTS, `${JSON.stringify(all, null, 2)}\n`);
};

const canConnect = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

const untilListening = async (port: number): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await canConnect(port)) return;
    await setTimeout(200);
  }
  throw new Error("The server did not listen.");
};

const apply = async (command: RegistryCommand): Promise<void> => {
  const outcome = await applyRegistryCommand(mcp, workspace, ADMIN, command);
  if (!outcome.ok) throw new Error(outcome.message);
};

const sentenceOf = (fault: unknown): string => {
  const said = fault instanceof Error ? fault.message : String(fault);
  const text = said.replaceAll(at.home, "…").replaceAll(/\s+/g, " ").trim();

  return text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)} …` : text;
};

const EXCEPTION = /^(?:[a-z]\w*\.)*\w*(?:Error|Exception)[^:]*:/;

const lastWords = (output: string | null): string => {
  const lines = (output ?? "").trim().split("\n");

  return sentenceOf(lines.findLast((line) => EXCEPTION.test(line.trim())) ?? lines.at(-1) ?? "").trim();
};

/** Adds, inspects, labels, pins and activates. @returns the number of tools */
const register = async (id: string, transport: McpTransport): Promise<number> => {
  const target = async () => ({ id, revision: (await serverRow(workspace, id, mcp)).revision });
  await apply({ type: "add", id, name: id, transport });
  await apply({ type: "inspect", ...(await target()) }).catch(async (fault: unknown) => {
    const { errorOutput } = await serverRow(workspace, id, mcp);
    throw new Error([sentenceOf(fault), lastWords(errorOutput)].join(" "));
  });
  const { tools, unusable } = await serverRow(workspace, id, mcp);
  if (tools.length === 0) throw new Error(`The server lists no tool that can be called: ${unusable[0]?.reason ?? "none"}.`);
  const labels = tools.flatMap(({ name, definition }) => (definition ? [[name, proposeLabels(definition, false).labels] as const] : []));
  await apply({ type: "set_labels", ...(await target()), labels: Object.fromEntries(labels) });
  const digests = tools.flatMap(({ name, seenDigest }) => (seenDigest ? [[name, seenDigest] as const] : []));
  await apply({ type: "pin", ...(await target()), expect: Object.fromEntries(digests) });
  await apply({ type: "activate", ...(await target()) });

  return tools.length;
};

/** Never throws: a failure is a row of the table. */
const record = async (
  named: Pick<InteropResult, "kind" | "name">,
  work: () => Promise<{ version: string; tools: number }>,
): Promise<void> => {
  try {
    results.push({ ...named, ...(await work()), failure: null });
  } catch (fault) {
    results.push({ ...named, version: null, tools: 0, failure: sentenceOf(fault) });
  }
};

/** Stands for a key: a server that only lists its tools needs no real one. */
const STAND_IN = "stand-in-0123456789abcdef";

const keepSecret = (name: string): Promise<void> =>
  asAdmin(urls.admin, "insert into secret (workspace_id, name, sealed, created_by) values ($1, $2, $3, $4)", [
    workspace,
    name,
    Buffer.from(sealSecret(vault, workspace, name, STAND_IN)),
    randomUUID(),
  ]);

const folderOf = (id: string): string => path.join(at.home, "programs", id);

const tryPackage = ({ kind, name, args = [], env = {}, secrets = [] }: Candidate, id: string): Promise<void> =>
  record({ kind, name }, async () => {
    const places = secrets.map((variable) => [variable, variable.toLowerCase().slice(0, 32)] as const);
    for (const [, place] of places) await keepSecret(getMcpSecretName(id, place));
    const declared = {
      id,
      name: id,
      args: [...args],
      env: { ...env, ...Object.fromEntries(places.map(([variable, place]) => [variable, `{${place}}`])) },
      placeholders: Object.fromEntries(places.map(([, place]) => [place, { type: "secret" as const }])),
    };
    const spec = { kind: kind === "npm" ? ("package" as const) : kind, name, version: null, bin: null, scripts: false };
    const program = await installPackage(spec, declared, at, installer);
    const values = Object.fromEntries(places.map(([, place]) => [place, { secret: getMcpSecretName(id, place) }]));
    const tools = await register(id, { type: "stdio", manifest: manifestOf(program, values) });

    return { version: "version" in program.runs ? program.runs.version : "", tools };
  });

const tryRemote = (remote: (typeof REMOTES)[number], id: string, port: number): Promise<void> =>
  record({ kind: "remote", name: remote.package }, async () => {
    const spec = { kind: "package" as const, name: remote.package, version: null, bin: null, scripts: false };
    const program = await installPackage(spec, { id, name: id, args: [], env: {}, placeholders: {} }, at, installer);
    if (program.runs.kind !== "package") throw new Error("The package was not installed.");
    const entry = path.join(folderOf(program.id), "node_modules", ...remote.package.split("/"), program.runs.entry);
    const own = remote.portOption === null ? [] : [remote.portOption, String(port)];
    const child = spawn(process.execPath, [entry, ...remote.args, ...own], {
      env: { PATH: installer["PATH"] ?? "", HOME: at.home, PORT: String(port), NODE_ENV: "production" },
      stdio: "ignore",
    });
    try {
      await untilListening(port);
      const tools = await register(id, { type: "http", url: `http://127.0.0.1:${port}/mcp` });

      return { version: program.runs.version, tools };
    } finally {
      child.kill("SIGKILL");
    }
  });

const ports = await Promise.all(REMOTES.map(freePort));

beforeAll(async () => {
  workspace = await testWorkspace(urls.admin);
  const egress = { allowOrigins: ports.map((port) => `http://127.0.0.1:${port}`) };
  mcp = createLocalMcp({ clock: systemClock, installation: at, vault, egress, sandboxLevel: "available" });
});
afterAll(async () => {
  await mcp.close();
});

it.each(CANDIDATES.map((candidate, index) => ({ ...candidate, id: `s${index}` })))("$kind: $name", async ({ id, ...candidate }) => {
  await tryPackage(candidate, id);
  saveResults();
  expect(results.at(-1)?.name).toBe(candidate.name);
});

it.each(REMOTES.map((remote, index) => ({ ...remote, index })))("remote: $package", async ({ index, ...remote }) => {
  await tryRemote(remote, `remote${index}`, ports[index] ?? 0);
  saveResults();
  expect(results.at(-1)?.kind).toBe("remote");
});

it("registers most of them", () => {
  expect(listAll().filter(({ kind, failure }) => kind === "npm" && failure === null).length).toBeGreaterThanOrEqual(30);
  expect(listAll().filter(({ kind, failure }) => kind === "remote" && failure === null)).toHaveLength(REMOTES.length);
});
