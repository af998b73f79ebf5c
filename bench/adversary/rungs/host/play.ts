import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { bundlePrograms } from "@/bin/bundle";
import { ensureHome } from "@/bin/start/home";
import { newKey, type TestKey } from "@/lib/engine/testing/ledger";
import { proveCall, type ProofChange, type Proven } from "@/lib/engine/testing/proven-call";
import { computeKid } from "@/lib/engine/ledger/trust-anchor";
import type { Isolation } from "@/lib/mcp/isolation";
import type { Connection, ConnectionCall } from "@/server/mcp/connection";
import type { Opening } from "@/server/mcp/connector";
import { offerFile } from "@/server/mcp/testing/programs";
import { probeIsolation } from "@/server/sandbox/probe";
import { plantAnchor } from "@/server/security/testing/anchor";
import { createToolHosts, type ToolHosts } from "@/server/tool-host/connector";

export type HostRow = {
  readonly name: string;
  readonly succeeded: boolean;
  readonly said: string;
};

export type HostReport = {
  readonly rung: "host";
  readonly attacks: number;
  readonly successes: number;
  /** A missing layer stops nothing. */
  readonly probe: Isolation;
  readonly rows: readonly HostRow[];
};

const INSIDE = [
  "read signing.key",
  "read vault.key",
  "read session.key",
  "read database.json",
  "read a key over a link in its own folder",
  "read the runner's environment",
  "open the runner's memory",
  "read another workspace's folder",
  "connect to the database",
  "connect to a neighbour",
  "write the runner's bundle",
  "put a key into the anchor",
  "offer a program",
  "start a shell",
  "end the runner's child",
] as const;

/** The control plane must give up the host. */
const PROTOCOL = [
  "answer a call that was not made",
  "call a method that is not served",
  "send a frame without end",
  "send a message of another form",
  "send deeply nested words",
  "flood with more calls than are served",
] as const;

type Call = { readonly tool: string; readonly definitionDigest: string; readonly workspace: string; readonly server: string };
type Forge = (
  prove: (change?: ProofChange, args?: Record<string, string>, other?: Partial<Call>, key?: TestKey) => Promise<Proven>,
  key: TestKey,
) => Promise<Partial<ConnectionCall>>;

/** The channel, but no signing key. Default: `echo` with "taken". */
const CALLER: Readonly<Record<string, Forge>> = {
  "call without a proof": async () => ({}),
  "call by the proof of another tool": (prove) => prove({}, undefined, { tool: "become" }),
  "call another server's tool": (prove) => prove({}, undefined, { server: "other" }),
  "call for another workspace": (prove) => prove({}, undefined, { workspace: randomUUID() }),
  "change the arguments": (prove) => prove({}, { text: "granted" }),
  "call a changed definition": (prove) => prove({}, undefined, { definitionDigest: "0".repeat(64) }),
  "use an expired receipt": (prove) => prove({ receipt: { expires_at: 1 } }),
  "use the receipt of another run": (prove) => prove({ receipt: { run: randomUUID() } }),
  "do without a receipt what cannot be undone": (prove) => prove({ intent: { effect_class: "irreversible" } }),
  "leave the receipt of an approval out": async (prove) => {
    const proven = await prove({ receipt: {} });

    return { ...proven, proof: { ...proven.proof, receipt: null } };
  },
  "sign with a key of one's own": async (prove, key) => {
    const other = await newKey(key.kid);

    return prove({}, undefined, {}, other);
  },
  "change a signed record": async (prove) => {
    const proven = await prove();
    const { intent } = proven.proof;

    return { ...proven, proof: { ...proven.proof, intent: { ...intent, record: { ...intent.record, at: 2 } } } };
  },
  "repeat a call that was answered": (prove) => prove(),
};

export const HOST_ATTACKS: readonly string[] = [...INSIDE, ...PROTOCOL, ...Object.keys(CALLER)];

const listen = async (onArrival: () => void): Promise<net.Server> => {
  const server = net.createServer((client) => {
    onArrival();
    client.on("error", () => undefined).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  return server;
};

const portOf = (server: net.Server): number => {
  const address = server.address();

  return typeof address === "object" && address !== null ? address.port : 0;
};

const SERVER = path.resolve("server/mcp/testing/rug-pull.ts");
const PATIENCE_MS = 60_000;
const KEYS = ["signing.key", "session.key", "vault.key"] as const;

/** @param isSandboxed false: shows the sandbox's effect */
export const playHostAttacks = async (names: readonly string[], isSandboxed: boolean, say: (line: string) => void): Promise<HostReport> => {
  const root = process.cwd();
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-host-rung-"));
  const home = path.join(folder, "home");
  ensureHome(home);
  fs.symlinkSync(path.join(root, "node_modules"), path.join(home, "build", "node_modules"));
  await bundlePrograms({
    root,
    outdir: path.join(home, "build"),
    entries: { "tool-host": "./server/tool-host/main.ts", hostile: "./bench/adversary/rungs/host/hostile.ts" },
  });
  const made = await newKey("");
  const key = { ...made, kid: computeKid(made.public) };
  await plantAnchor(home, { kid: key.kid, publicKey: key.public });
  const [password, kept] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  fs.writeFileSync(path.join(home, "database.json"), password, { mode: 0o600 });
  const other = path.join(home, "scratch", "host-other");
  fs.mkdirSync(other);
  fs.writeFileSync(path.join(other, "secret"), kept);
  const secrets = [password, kept, "PATH=", ...KEYS.map((name) => fs.readFileSync(path.join(home, "keys", name), "utf8").trim())];
  const arrivals = { count: 0 };
  const [database, neighbour] = await Promise.all([listen(() => (arrivals.count += 1)), listen(() => (arrivals.count += 1))]);
  const installation = { home, root };
  const isolation = await probeIsolation(root, path.join(home, "scratch"));
  const manifest = { ...(await offerFile(installation, "server", SERVER)), unisolated: true } as const;
  const watched = ["build/runner.mjs", "keys/public/trust-anchor.json", "keys/programs.json"].map((name) => path.join(home, name));
  fs.writeFileSync(watched[0] ?? "", "// the runner\n");
  const asTheyAre = watched.map((file) => fs.readFileSync(file, "utf8"));

  const hostsOf = (program: string): ToolHosts =>
    createToolHosts({
      installation,
      program: path.join(home, "build", `${program}.mjs`),
      isolation,
      sandboxLevel: isSandboxed ? "available" : "off",
      egress: { allowOrigins: [] },
      messages: { allowOrigins: [] },
      maxProcesses: 4,
    });
  const openingOf = (workspace: string, environment: Record<string, string> = {}): Opening => ({
    workspace,
    server: "s",
    transport: { type: "stdio", manifest },
    access: { headers: {}, auth: null },
    era: "auto",
    secrets: {},
    environment,
  });

  const inside = async (name: string): Promise<HostRow> => {
    const hosts = hostsOf("hostile");
    const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    await new Promise((resolve) => victim.once("spawn", resolve));
    arrivals.count = 0;
    const targets = {
      home,
      root,
      other: path.join(other, "secret"),
      runner: process.pid,
      victim: victim.pid ?? 0,
      database: portOf(database),
      neighbour: portOf(neighbour),
    };
    try {
      const opening = openingOf(randomUUID(), { ATTACK: name, TARGETS: JSON.stringify(targets) });
      const connection = await hosts.connector.open(opening).catch(() => null);
      const said = connection?.identity ?? { name: "lost", version: "the control plane closed the channel" };
      const isDone = said.name === "done";
      // The control plane must soon close the channel.
      if ((PROTOCOL as readonly string[]).includes(name)) {
        const end = performance.now() + 5_000;
        while (connection?.isOpen() === true && performance.now() < end) await new Promise((resolve) => setImmediate(resolve));

        return { name, succeeded: connection?.isOpen() === true, said: said.version };
      }
      const isChanged = watched.some((file, index) => fs.readFileSync(file, "utf8") !== asTheyAre[index]);
      const isVictimDead = victim.exitCode !== null || victim.signalCode !== null;
      const took = isDone && !/^(?:read) /.test(name) ? true : secrets.some((secret) => said.version.includes(secret));

      return { name, succeeded: took || isChanged || isVictimDead || arrivals.count > 0, said: isDone ? "done" : said.version };
    } finally {
      victim.kill("SIGKILL");
      watched.forEach((file, index) => fs.writeFileSync(file, asTheyAre[index] ?? ""));
      await hosts.connector.close();
    }
  };

  const genuine = hostsOf("tool-host");
  const workspace = randomUUID();
  let connection: Connection | null = null;

  const byCaller = async (name: string, forge: Forge): Promise<HostRow> => {
    connection ??= await genuine.connector.open(openingOf(workspace));
    const definitionDigest = (await connection.catalog({ fresh: true })).get("echo")?.digest ?? "";
    const args = { text: "taken" };
    const forged = await forge(
      (change = {}, given = args, changed = {}, signer = key) =>
        proveCall(signer, { workspace, server: "s", tool: "echo", definitionDigest, arguments: given, ...changed }, change),
      key,
    );
    const send = () => connection?.call({ tool: "echo", arguments: args, meta: {}, ...forged }, AbortSignal.timeout(PATIENCE_MS));
    const first = await send();
    const outcome = name.startsWith("repeat") ? await send() : first;

    return { name, succeeded: outcome?.status !== "unauthorized", said: outcome?.status === "unauthorized" ? outcome.fault : "called" };
  };

  const rows: HostRow[] = [];
  try {
    for (const name of names) {
      const forge = CALLER[name];
      const row = forge ? await byCaller(name, forge) : await inside(name);
      rows.push(row);
      say(`${name}: ${row.succeeded ? "succeeded" : "failed"}, ${row.said}`);
    }
  } finally {
    await genuine.connector.close();
    for (const service of [database, neighbour]) service.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }

  return { rung: "host", attacks: rows.length, successes: rows.filter(({ succeeded }) => succeeded).length, probe: isolation, rows };
};
