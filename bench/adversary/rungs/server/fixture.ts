import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import koffi from "koffi";
import { ensureHome } from "@/bin/start/home";
import { resolveLaunch } from "@/server/mcp/programs/launch";
import { createSandboxFor } from "@/server/mcp/sandbox";
import type { ServerSandbox } from "@/server/mcp/server-process";
import { createStdioTransport } from "@/server/mcp/stdio-transport";
import { offerFile } from "@/server/mcp/testing/programs";
import { probeIsolation } from "@/server/sandbox/probe";
import { PUBLIC_ONLY } from "@/server/security/egress-url";
import type { Isolation } from "@/lib/mcp/isolation";

/** Last report; null: none. */
export type Said = { readonly begun?: true; readonly done?: string; readonly failed?: string } | null;

/** Independent of the server's report. */
export type Facts = {
  readonly holdsSecret: (text: string) => boolean;
  readonly arrived: number;
  readonly isVictimAlive: boolean;
  readonly isChanged: boolean;
};

export type Stand = {
  readonly isolation: Isolation;
  play(attack: string, isSandboxed: boolean): Promise<{ readonly said: Said; readonly facts: Facts }>;
  close(): Promise<void>;
};

const PROGRAM = path.join("bench", "adversary", "rungs", "server", "hostile.ts");
const SECRETS = ["signing.key", "session.key", "vault.key", "postgres.key"] as const;
const TIMEOUT_MS = 60_000;
const F_SETFD = 2;

const listen = (server: net.Server, at: net.ListenOptions): Promise<net.Server> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(at, () => resolve(server));
  });

const portOf = (server: { address(): string | net.AddressInfo | null }): number => {
  const address = server.address();

  return typeof address === "object" && address !== null ? address.port : 0;
};

const countArrivals = async () => {
  const arrivals = { count: 0 };
  const arrive = (): void => {
    arrivals.count += 1;
  };
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "rung-"));
  const socket = path.join(folder, "s");
  const abstract = `rung-${randomBytes(6).toString("hex")}`;
  const open = (at: net.ListenOptions) =>
    listen(
      net.createServer((client) => (arrive(), client.on("error", () => undefined).resume())),
      at,
    );
  const loopback = { host: "127.0.0.1", port: 0 };
  const [database, web, neighbour] = await Promise.all([open(loopback), open(loopback), open(loopback)]);
  const local = await Promise.all([open({ path: socket }), open({ path: `\0${abstract}` })]);
  const datagrams = dgram.createSocket("udp4", arrive);
  await new Promise<void>((resolve) => datagrams.bind(portOf(neighbour), "127.0.0.1", resolve));

  return {
    arrivals,
    targets: { socket, abstract, database: portOf(database), web: portOf(web), neighbour: portOf(neighbour) },
    close: () => {
      for (const server of [database, web, neighbour, ...local]) server.close();
      datagrams.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Like a careless library. */
const leakDescriptor = (file: string): number => {
  const fd = fs.openSync(file, "r");
  const fcntl = koffi.load(null).func("fcntl", "int", ["int", "int", "int"]) as (fd: number, command: number, flags: number) => number;
  fcntl(fd, F_SETFD, 0);

  return fd;
};

const CPU_SECONDS = 1;

const adapt = (sandbox: ServerSandbox, attack: string, database: number): ServerSandbox => {
  const { policy } = sandbox;
  if (attack.startsWith("connect past the ports"))
    return { ...sandbox, policy: { ...policy, namespace: false, network: { ...policy.network, connect: [database] } } };
  if (attack.endsWith("the proxy"))
    return { ...sandbox, policy: { ...policy, namespace: false }, egress: { hosts: ["api.example.org"], policy: PUBLIC_ONLY } };
  // The limit is an hour.
  if (attack === "use the processor without end" && policy.limits)
    return { ...sandbox, policy: { ...policy, limits: { ...policy.limits, processorSeconds: CPU_SECONDS } } };

  return sandbox;
};

export const makeStand = async (): Promise<Stand> => {
  const root = process.cwd();
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "countersign-server-rung-"));
  const [home, elsewhere] = [path.join(folder, "home"), path.join(folder, "elsewhere")];
  // A separate user must pass.
  fs.chmodSync(folder, 0o711);
  ensureHome(home);
  fs.mkdirSync(elsewhere);
  const bundle = path.join(home, "build", "runner.mjs");
  fs.writeFileSync(bundle, "// the runner\n");
  const password = randomBytes(16).toString("hex");
  fs.writeFileSync(path.join(home, "database.json"), JSON.stringify({ admin: password }), { mode: 0o600 });
  const other = path.join(home, "scratch", "mcp-other");
  fs.mkdirSync(other, { mode: 0o700 });
  const kept = randomBytes(16).toString("hex");
  fs.writeFileSync(path.join(other, "secret"), kept);
  const secrets = [password, kept, ...SECRETS.map((name) => fs.readFileSync(path.join(home, "keys", name), "utf8").trim()), "PATH="];
  const services = await countArrivals();
  const leaked = leakDescriptor(path.join(home, "keys", "signing.key"));
  const installation = { home, root };
  const isolation = await probeIsolation(root, path.join(home, "scratch"));
  const planted = path.join(root, "node_modules", ".hooks-taken");
  const offered = await offerFile(installation, "hostile", path.join(root, PROGRAM));
  const manifest = { ...offered, unisolated: true } as const;
  const launch = await resolveLaunch(manifest, installation);

  const sandboxOf = async (attack: string, scratch: string) => {
    const sandbox = await createSandboxFor(
      { manifest, launch, env: {}, scratch },
      { installation, isolation: async () => isolation, sandboxLevel: "available", egress: PUBLIC_ONLY },
    );

    return sandbox && adapt(sandbox, attack, services.targets.database);
  };

  const playWith = async (attack: string, isSandboxed: boolean, victim: number) => {
    const scratch = fs.mkdtempSync(path.join(home, "scratch", "mcp-"));
    const targets = { home, root, elsewhere, runner: process.pid, victim, ...services.targets };
    const transport = createStdioTransport({
      command: process.execPath,
      args: ["--no-warnings", launch.entry, JSON.stringify({ attack, targets })],
      env: { HOME: scratch, TMPDIR: scratch },
      cwd: scratch,
      maxMessageBytes: 1_048_576,
      sandbox: isSandboxed ? await sandboxOf(attack, scratch) : null,
      ...(isSandboxed ? {} : { burst: { messages: Infinity, bytes: Infinity } }),
    });
    let said: Said = null;
    const ended = new Promise<void>((resolve) => {
      Object.assign(transport, {
        onmessage: ({ method, params }: { readonly method: string; readonly params?: Said }) => {
          if (method === "attack/said") said = params ?? null;
        },
        onclose: resolve,
      });
    });
    const timer = setTimeout(() => void transport.close(), TIMEOUT_MS);
    try {
      await transport.start();
      await ended;

      return said;
    } finally {
      clearTimeout(timer);
      fs.rmSync(scratch, { recursive: true, force: true });
    }
  };

  return {
    isolation,
    play: async (attack, isSandboxed) => {
      services.arrivals.count = 0;
      const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
      await new Promise((resolve) => victim.once("spawn", resolve));
      try {
        const said = await playWith(attack, isSandboxed, victim.pid ?? 0);
        const isChanged =
          fs.existsSync(planted) || fs.readdirSync(elsewhere).length > 0 || fs.readFileSync(bundle, "utf8") !== "// the runner\n";

        return {
          said,
          facts: {
            holdsSecret: (text) => secrets.some((secret) => text.includes(secret)),
            arrived: services.arrivals.count,
            isVictimAlive: victim.exitCode === null && victim.signalCode === null,
            isChanged,
          },
        };
      } finally {
        victim.kill("SIGKILL");
        fs.rmSync(planted, { force: true });
        fs.rmSync(path.join(elsewhere, "autostart"), { force: true });
        fs.writeFileSync(bundle, "// the runner\n");
      }
    },
    close: async () => {
      fs.closeSync(leaked);
      services.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
