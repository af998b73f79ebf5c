/** Starts only installed images. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { rmSync } from "node:fs";
import net from "node:net";
import type { Readable } from "node:stream";
import { AppError } from "@/lib/errors";
import type { Engine } from "@/lib/mcp/image";
import { computeProgramDigest, type Program } from "@/lib/mcp/program";
import type { Clock } from "@/server/clock";
import { RemoteFailure } from "@/server/ipc/errors";
import { createPeer, type Handlers, type Peer } from "@/server/ipc/peer";
import { log } from "@/server/log";
import { openEnvironment } from "@/server/mcp/credentials";
import { buildContainerLaunch, checkManifest } from "@/server/mcp/programs/launch";
import { createInvalidProgram, type Installation } from "@/server/mcp/programs/installation";
import { readPrograms } from "@/server/mcp/programs/list";
import type { Environment } from "@/server/mcp/programs/run-installer";
import type { ServerProcess } from "@/server/mcp/server-process";
import type { EgressPolicy } from "@/server/security/egress-url";
import { writePrivateFile } from "@/server/security/private-file";
import { computeHomeLabel, demandSameImage, isImageProgram, removeLabelled, startSweeper, toOwnerLabel, type ImageProgram } from "./engine";
import { BROKER_LIMITS, brokerProtocol, containerProtocol } from "./protocol";
import { runContainer } from "./run";
import { getSocketPath, getTokenPath, WELCOME } from "./socket";

type BrokerOptions = {
  readonly installation: Installation;
  readonly env: Environment;
  readonly clock: Clock;
  readonly egress: EgressPolicy;
  readonly relay: string;
};

type Broker = { close(): Promise<void> };

const MAX_CONTAINERS = 64;
const MAX_PER_CONNECTION = 16;
const MAX_CONNECTIONS = 64;
/** A container that does not read its input ends. */
const MAX_UNREAD_BYTES = 16_777_216;
const TOKEN_MS = 5_000;
const RECHECK_MS = 30_000;
const MAX_PATH_BYTES = 107;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

const readToken = (socket: net.Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = "";
    socket.setTimeout(TOKEN_MS, () => reject(new Error("no token")));
    socket.once("close", () => reject(new Error("closed")));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (text.length > 200) return reject(new Error("too long"));
      if (!text.endsWith("\n")) return;
      socket.setTimeout(0);
      socket.removeAllListeners("data");
      resolve(text.slice(0, -1));
    });
  });

const demandImage = (program: Program): ImageProgram => {
  if (!isImageProgram(program)) throw createInvalidProgram("The program is no container image.");

  return program;
};

export const openBroker = async ({ installation, env, clock, egress, relay }: BrokerOptions): Promise<Broker> => {
  const socketPath = getSocketPath(installation.home);
  if (Buffer.byteLength(socketPath) > MAX_PATH_BYTES)
    throw createInvalidProgram(`The path of the state folder is too long for containers: ${socketPath}`);
  const token = randomBytes(32).toString("hex");
  const owner = randomUUID();
  const labels = [computeHomeLabel(installation.home), toOwnerLabel(owner)];
  const swept = new Map<Engine, Promise<void>>();
  const lookedAt = new Map<string, { readonly atMs: number; readonly isPresent: Promise<boolean> }>();
  const sockets = new Set<net.Socket>();
  let running = 0;

  const sweep = async (engine: Engine): Promise<void> => {
    startSweeper(engine, toOwnerLabel(owner), env);
    const left = await removeLabelled(engine, computeHomeLabel(installation.home), env);
    if (left > 0) log().warn({ engine, left }, "containers of an earlier broker were removed");
  };

  /** Waits: a container that starts meanwhile would be swept too. */
  const prepare = (engine: Engine): Promise<void> => {
    const known = swept.get(engine) ?? sweep(engine);
    swept.set(engine, known);
    known.catch(() => swept.delete(engine));

    return known;
  };

  const isPresent: Handlers<typeof brokerProtocol>["isPresent"] = async ({ program: id, digest: confirmed }) => {
    const program = readPrograms(installation.home).find((each) => each.id === id && computeProgramDigest(each) === confirmed);
    if (!program || !isImageProgram(program)) return false;
    const known = lookedAt.get(confirmed);
    if (known && clock.now() - known.atMs < RECHECK_MS) return known.isPresent;
    const found = demandSameImage(program, env).then(
      () => true,
      () => false,
    );
    lookedAt.set(confirmed, { atMs: clock.now(), isPresent: found });

    return found;
  };

  const serve = (socket: net.Socket): void => {
    const containers = new Map<string, ServerProcess>();
    const ids = new Set<string>();
    let isLost = false;

    const demand = (id: string): ServerProcess => {
      const found = containers.get(id);
      if (!found) throw new AppError("server_unreachable", { message: "The container has ended." });

      return found;
    };

    const pump = async (container: string, stream: "stdout" | "stderr", source: Readable): Promise<void> => {
      // Waiting holds a flood back.
      for await (const chunk of source) await peer.call("output", { container, stream, chunk: Buffer.from(chunk).toString("base64") });
    };

    const follow = async (container: string, started: ServerProcess): Promise<void> => {
      await Promise.allSettled([pump(container, "stdout", started.stdout), pump(container, "stderr", started.stderr), started.closed]);
      containers.delete(container);
      ids.delete(container);
      running -= 1;
      if (!isLost) await peer.call("ended", { container, ...started.ending() }).catch(() => undefined);
    };

    const start: Handlers<typeof brokerProtocol>["start"] = async ({ container, manifest, secrets }, signal) => {
      if (ids.has(container) || ids.size >= MAX_PER_CONNECTION || running >= MAX_CONTAINERS)
        throw new AppError("server_unreachable", { message: "Too many containers are running." });
      ids.add(container);
      running += 1;
      try {
        const { program, filled } = await checkManifest(manifest, installation);
        const image = demandImage(program);
        await prepare(image.runs.engine);
        const { args, env: variables, hosts } = buildContainerLaunch(image, manifest, filled);
        const given = openEnvironment(variables, secrets);
        const started = await runContainer(
          { program: image, args, env: given.env, labels },
          env,
          hosts.length === 0 ? null : { rules: { hosts, policy: egress }, relay },
        );
        for (const stream of [started.stdin, started.stdout, started.stderr]) stream.on("error", () => undefined);
        containers.set(container, started);
        void follow(container, started);
        if (isLost || signal.aborted) started.kill("SIGKILL");
      } catch (error) {
        ids.delete(container);
        running -= 1;
        throw error;
      }

      return null;
    };

    const peer: Peer<typeof containerProtocol> = createPeer(socket, {
      serves: brokerProtocol,
      handlers: {
        isPresent,
        start,
        write: async ({ container, text }) => {
          const { stdin, kill } = demand(container);
          stdin.write(text);
          if (stdin.writableLength > MAX_UNREAD_BYTES) kill("SIGKILL");

          return null;
        },
        end: async ({ container, force }) => {
          const found = containers.get(container);
          if (force) found?.kill("SIGKILL");
          else found?.stdin.end();

          return null;
        },
      },
      calls: containerProtocol,
      limits: BROKER_LIMITS,
      describeError: (error) => (error instanceof AppError ? new RemoteFailure(error.code, error.message) : null),
      onLost: () => {
        isLost = true;
        for (const { kill } of containers.values()) kill("SIGKILL");
      },
    });
  };

  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    readToken(socket).then(
      (given) => {
        if (!timingSafeEqual(digest(given), digest(token))) return void socket.destroy();
        socket.write(WELCOME);

        return serve(socket);
      },
      () => socket.destroy(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  rmSync(socketPath, { force: true });
  writePrivateFile(getTokenPath(installation.home), token);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, resolve);
  });

  for (const { runs } of readPrograms(installation.home)) {
    if (runs.kind === "image")
      prepare(runs.engine).catch((error: unknown) =>
        log().error({ engine: runs.engine, error: String(error) }, "a container engine failed"),
      );
  }

  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};
