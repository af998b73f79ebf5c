import { execFileSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { DEFAULT_CALL_LIMITS } from "@/lib/mcp/call-limits";
import type { Program } from "@/lib/mcp/program";
import { systemClock } from "@/server/clock";
import type { ToolOutcome } from "@/server/mcp/answer";
import type { LocalConnection } from "@/server/mcp/connection";
import { openLocally } from "@/server/mcp/local-connector";
import type { Environment } from "@/server/mcp/programs/run-installer";
import type { Declared } from "@/server/mcp/programs/offer";
import { declared, refusal } from "@/server/mcp/programs/testing/place";
import { readPrograms, writePrograms } from "@/server/mcp/programs/list";
import { processFailureOf } from "@/server/mcp/server-failure";
import { bundleInto } from "@/server/mcp/testing/bundles";
import { manifestOf } from "@/server/mcp/testing/programs";
import { openingOf, openToolHosts, separateInstallation } from "@/server/tool-host/testing/hosts";
import { askBroker } from "./ask";
import { createContainerStarter } from "./client";
import { computeHomeLabel } from "./engine";
import { installImage } from "./install";
import { connectToBroker, getSocketPath, hasBroker } from "./socket";
import { buildEngineEnvironment, hasPodman, importImage, startBroker, type TestImage } from "./testing/image";

const TOKEN = "box-token-0123456789";
const PATIENCE_MS = 15_000;

const installation = await separateInstallation();
const env = buildEngineEnvironment(installation.home);
let image: TestImage;
let broker: ChildProcess | null = null;

const podman = (...args: string[]): string =>
  execFileSync("podman", args, { env: { ...env, NODE_ENV: "test" }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

const until = async <T>(look: () => T | Promise<T>, isIt: (found: T) => boolean): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (isIt(found) || Date.now() > deadline) return found;
    await delay(50);
  }
};

const listContainers = (): string[] =>
  podman("ps", "--all", "--quiet", "--filter", `label=${computeHomeLabel(installation.home)}`)
    .split("\n")
    .filter(Boolean);

const web = http.createServer((_request, response) => response.end("reached"));

const allowed = (): string => `127.0.0.1:${(web.address() as AddressInfo).port}`;

const beginBroker = async (engineEnvironment: Environment = env): Promise<void> => {
  broker = startBroker(installation.home, engineEnvironment, `http://${allowed()}`);
  await until(() => hasBroker(installation.home), Boolean);
};

const endBroker = async (): Promise<void> => {
  const ended = broker && once(broker, "exit");
  broker?.kill("SIGTERM");
  await ended;
};

const install = (id: string, change: Partial<Declared> = {}, reference = image.pinned): Promise<Program> =>
  installImage(reference, declared({ id, name: id, ...change }), installation, env);

type Given = { readonly values?: Parameters<typeof manifestOf>[1]; readonly secrets?: Readonly<Record<string, string>> };

const open = async (program: Program, { values = {}, secrets = {} }: Given = {}): Promise<LocalConnection> => {
  const socket = await connectToBroker(installation.home);
  const startContainer = createContainerStarter(socket, () => undefined);
  const opening = {
    ...openingOf(randomUUID(), "box", { type: "stdio", manifest: manifestOf(program, values) }),
    secrets,
    era: "legacy" as const,
  };
  const connection = await openLocally(opening, {
    installation,
    scratch: `${installation.home}/scratch`,
    egress: { allowOrigins: [] },
    clock: systemClock,
    isolation: async () => ({ holds: [], reason: null }),
    sandboxLevel: "available",
    startContainer,
  });
  onTestFinished(async () => {
    await connection.close();
    socket.destroy();
  });

  return connection;
};

const call = (connection: LocalConnection, tool: string, totalMs = 5_000): Promise<ToolOutcome> =>
  connection.call(
    { tool, arguments: {}, meta: {}, limits: { ...DEFAULT_CALL_LIMITS, timeout_ms: totalMs, total_ms: totalMs } },
    AbortSignal.timeout(PATIENCE_MS),
  );

const inspectionSchema = z.tuple([
  z.object({
    HostConfig: z.record(z.string(), z.unknown()),
    Mounts: z.array(z.unknown()),
    EffectiveCaps: z.array(z.string()).nullable(),
  }),
]);

const textOf = (outcome: ToolOutcome): string => JSON.stringify(outcome.status === "unauthorized" ? null : outcome.result);

describe.skipIf(!hasPodman)("a container server (skipped without podman)", () => {
  beforeAll(async () => {
    await bundleInto(installation, {
      containers: "./server/mcp/containers/main.ts",
      "container-relay": "./server/mcp/containers/relay.ts",
      "tool-host": "./server/tool-host/main.ts",
    });
    image = importImage(env);
    web.listen(0, "127.0.0.1");
    await once(web, "listening");
    await install("box");
    await beginBroker();
  }, 120_000);
  afterAll(async () => {
    broker?.kill("SIGTERM");
    await until(listContainers, (left) => left.length === 0);
    image.remove();
    web.close();
  });

  it("is installed by digest alone, and a tag is answered with the digest that it has now", async () => {
    expect((await install("other")).runs).toMatchObject({ kind: "image", engine: "podman", image: image.pinned });
    expect(await refusal(install("other", {}, `${image.name}:1`))).toContain(`Its digest now is ${image.pinned}`);
    expect(await refusal(install("other", {}, "localhost/none:1"))).toContain("podman pull localhost/none:1");
    expect(await refusal(install("other", {}, "--privileged"))).toContain("is no container image");
  });

  it("writes only its own temporary files", async () => {
    const said = await call(await open(await install("box")), "write");
    expect(textOf(said)).toContain("refused refused refused written");
  });

  it("reaches its named hosts through Countersign's proxy, and nothing else", async () => {
    const said = await call(await open(await install("box", { hosts: [allowed()], env: { ALLOWED: allowed() } })), "hosts");
    expect(textOf(said)).toContain("200 403 403 unreachable");
    const denied = await install("box", { hosts: ["127.0.0.1:1"], env: { ALLOWED: allowed() } });
    expect(textOf(await call(await open(denied), "hosts"))).toContain("403 403 403 unreachable");
  });

  it("reaches no network, no metadata address and no port of this machine", async () => {
    const port = allowed().split(":")[1] ?? "";
    const said = await call(await open(await install("box", { env: { HOST_PORT: port } })), "network");
    expect(textOf(said)).toContain("unreachable unreachable unreachable");
    expect(textOf(said)).toContain("lo:");
    expect(textOf(said)).not.toMatch(/eth|tap|veth/);
  });

  it("runs within its bounds, with secrets on no command line and no variable of ours", async () => {
    const program = await install("box", { env: { API_TOKEN: "{token}", MODE: "fast" }, placeholders: { token: { type: "secret" } } });
    const connection = await open(program, { values: { token: { secret: "mcp:box:token" } }, secrets: { "mcp:box:token": TOKEN } });
    const said = textOf(await call(connection, "token"));
    expect(said).toContain(`${TOKEN.length} `);
    expect(said).not.toMatch(/COUNTERSIGN|CONTAINERS_CONF|NODE_ENV/);
    const commands = fs
      .readdirSync("/proc")
      .flatMap((pid) => (/^\d+$/.test(pid) ? [fs.readFileSync(`/proc/${pid}/cmdline`, { flag: "r" }).toString()] : []));
    expect(commands.some((command) => command.includes("countersign-"))).toBe(true);
    expect(commands.filter((command) => command.includes(TOKEN))).toEqual([]);
    const [id = ""] = listContainers();
    const [found] = inspectionSchema.parse(JSON.parse(podman("inspect", id)));
    expect(found.HostConfig).toMatchObject({ ReadonlyRootfs: true, NetworkMode: "none", PidsLimit: 256, Memory: 1_073_741_824 });
    expect(found.HostConfig).toMatchObject({ Privileged: false, SecurityOpt: ["no-new-privileges"] });
    expect([found.Mounts, found.EffectiveCaps ?? []]).toEqual([[], []]);
  });

  it("ends with its connection, although it forks without end or ignores signals", async () => {
    for (const tool of ["fork", "hang"]) {
      const connection = await open(await install("box"));
      expect(listContainers()).toHaveLength(1);
      await call(connection, tool, 700);
      await connection.close();
      expect(await until(listContainers, (left) => left.length === 0)).toEqual([]);
    }
  });

  it("ends when it floods its error output", async () => {
    const outcome = await call(await open(await install("box")), "flood");
    expect(outcome.status).not.toBe("ok");
    expect(await until(listContainers, (left) => left.length === 0)).toEqual([]);
  });

  it("fails with its exit code and last lines, without secrets", async () => {
    const program = await install("box", { env: { API_TOKEN: "{token}", CRASH: "1" }, placeholders: { token: { type: "secret" } } });
    const given = { values: { token: { secret: "mcp:box:token" } }, secrets: { "mcp:box:token": TOKEN } };
    const error = await open(program, given).catch((cause: unknown) => cause);
    const failure = processFailureOf(error);
    expect(failure).toMatchObject({ exitCode: 3 });
    expect(failure?.output.split("\n")).toHaveLength(50);
    expect(failure?.output).toContain("line 60 [redacted]");
    expect(failure?.output).not.toContain(TOKEN);
  });

  it("starts only as confirmed: another list entry or a missing image is refused", async () => {
    const other = importImage(env, undefined, "other");
    const program = await install("box", {}, other.pinned);
    const forged = { ...program, runs: { ...program.runs, config: "0".repeat(64) } } as Program;
    expect(await askBroker(installation.home, program)).toBe(true);
    writePrograms(installation.home, [...readPrograms(installation.home).filter(({ id }) => id !== "box"), forged]);
    expect(await refusal(open(program))).toContain("not the one that was confirmed");
    expect(await refusal(open(forged))).toContain("no longer has the image");
    const swapped = { ...program, files: "0".repeat(64) };
    writePrograms(installation.home, [...readPrograms(installation.home).filter(({ id }) => id !== "box"), swapped]);
    expect(await refusal(open(swapped))).toContain("not the one that the operator installed");
    other.remove();
    expect(await askBroker(installation.home, forged)).toBe(false);
    expect(listContainers()).toEqual([]);
  });

  it("is refused to a connection without the runner's token", async () => {
    const socket = net.connect(getSocketPath(installation.home));
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
    socket.write(`${"0".repeat(64)}\n`);
    await closed;
    expect(said).toBe("");
  });

  it("is one of at most sixteen of a connection, which free their places when they end", async () => {
    const program = await install("box");
    // Containers cost a second each.
    const folder = fs.mkdtempSync(`${installation.home}/idle-`);
    const engine = execFileSync("which", ["podman"], { encoding: "utf8" }).trim();
    fs.writeFileSync(`${folder}/podman`, `#!/bin/sh\n[ "$1" = run ] && exec cat\nexec ${engine} "$@"\n`, { mode: 0o755 });
    await endBroker();
    await beginBroker({ ...env, PATH: `${folder}:${env["PATH"] ?? ""}` });
    onTestFinished(async () => {
      await endBroker();
      await beginBroker();
    });
    const begin = createContainerStarter(await connectToBroker(installation.home), () => undefined);
    const start = () => begin(manifestOf(program, {}), {});
    const started = await Promise.all(Array.from({ length: 16 }, start));
    expect(await refusal(start())).toContain("Too many containers are running.");
    started[0]?.kill("SIGKILL");
    await started[0]?.exited;
    (await start()).kill("SIGKILL");
  });

  it("serves a sandboxed tool host, ends when the broker is killed, and starts again with the next one", async () => {
    const hosts = openToolHosts(installation);
    onTestFinished(() => hosts.connector.close());
    const opening = openingOf(randomUUID(), "box", { type: "stdio", manifest: manifestOf(await install("box", { env: { STAY: "1" } })) });
    const connection = await hosts.connector.open({ ...opening, era: "legacy" });
    expect([...(await connection.catalog({ fresh: true })).keys()]).toContain("write");
    expect(listContainers()).toHaveLength(1);
    broker?.kill("SIGKILL");
    expect(await until(listContainers, (left) => left.length === 0)).toEqual([]);
    expect(
      await until(
        () => connection.isOpen(),
        (isOpen) => !isOpen,
      ),
    ).toBe(false);
    expect(await refusal(hosts.connector.open({ ...opening, era: "legacy" }))).toContain("podman or docker");
    podman("create", "--label", computeHomeLabel(installation.home), image.pinned);
    expect(listContainers()).toHaveLength(1);
    await beginBroker();
    expect(await until(listContainers, (left) => left.length === 0)).toEqual([]);
    const again = await hosts.connector.open({ ...opening, era: "legacy" });
    expect(listContainers()).toHaveLength(1);
    for (const pid of hosts.pids()) process.kill(pid, "SIGKILL");
    expect(await until(listContainers, (left) => left.length === 0)).toEqual([]);
    await again.close();
  });
});
