import { randomUUID } from "node:crypto";
import { PassThrough, type Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { AppError, isErrorCode } from "@/lib/errors";
import type { StdioManifest } from "@/lib/mcp/program";
import { PeerLost, RemoteFailure } from "@/server/ipc/errors";
import { createPeer } from "@/server/ipc/peer";
import type { OpenedSecrets } from "@/server/mcp/open-transport";
import type { ServerProcess } from "@/server/mcp/server-process";
import { BROKER_LIMITS, brokerProtocol, containerProtocol } from "./protocol";

export type StartContainer = (manifest: StdioManifest, secrets: OpenedSecrets) => Promise<ServerProcess>;

type Ending = ReturnType<ServerProcess["ending"]>;
type Held = { readonly stdout: PassThrough; readonly stderr: PassThrough; readonly end: (ending: Ending) => void };

const RUNNING: Ending = { exitCode: null, signal: null };
const LOST: Ending = { exitCode: null, signal: "SIGKILL" };

const toAppError = (error: unknown): unknown => {
  if (error instanceof RemoteFailure && isErrorCode(error.code)) return new AppError(error.code, { message: error.message.slice(0, 500) });

  return error instanceof PeerLost ? new AppError("containers_missing", { cause: error }) : error;
};

export const createContainerStarter = (channel: Duplex, onLost: () => void): StartContainer => {
  const held = new Map<string, Held>();

  const peer = createPeer(channel, {
    serves: containerProtocol,
    handlers: {
      output: async ({ container, stream, chunk }) => {
        held.get(container)?.[stream].write(Buffer.from(chunk, "base64"));

        return null;
      },
      ended: async ({ container, exitCode, signal }) => {
        held.get(container)?.end({ exitCode, signal: signal as NodeJS.Signals | null });

        return null;
      },
    },
    calls: brokerProtocol,
    limits: BROKER_LIMITS,
    onLost: () => {
      for (const { end } of held.values()) end(LOST);
      onLost();
    },
  });

  // The broker's welcome was read before.
  channel.resume();

  return async (manifest, secrets) => {
    const container = randomUUID();
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const exited = Promise.withResolvers<null>();
    const closed = Promise.all([finished(stdout), finished(stderr)]).then(
      () => null,
      () => null,
    );
    let ending = RUNNING;
    const end = (how: Ending): void => {
      ending = how;
      held.delete(container);
      stdin.destroy();
      stdout.end();
      stderr.end();
      exited.resolve(null);
    };
    const tell = (work: Promise<null>): void => void work.catch(() => undefined);
    const endBy = (force: boolean): void => tell(peer.call("end", { container, force }));
    // Object mode keeps each message whole.
    const stdin = new PassThrough({ objectMode: true });
    const forward = async (): Promise<void> => {
      for await (const text of stdin) await peer.call("write", { container, text: String(text) });
      endBy(false);
    };
    held.set(container, { stdout, stderr, end });
    try {
      await peer.call("start", { container, manifest, secrets: { ...secrets } });
    } catch (error) {
      held.delete(container);
      throw toAppError(error);
    }

    forward().catch(() => stdin.destroy());

    return { stdin, stdout, stderr, ending: () => ending, exited: exited.promise, closed, kill: () => endBy(true) };
  };
};
