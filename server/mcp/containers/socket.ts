/** Only the runner reads the token. */
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { AppError } from "@/lib/errors";
import { readPrivateFile } from "@/server/security/private-file";

export const getSocketPath = (home: string): string => path.join(home, "containers.sock");

export const getTokenPath = (home: string): string => path.join(home, "keys", "containers.token");

export const WELCOME = "ok\n";
const CONNECT_MS = 5_000;

/** @returns a paused socket @throws AppError("containers_missing") */
export const connectToBroker = async (home: string): Promise<net.Socket> => {
  try {
    const token = readPrivateFile(getTokenPath(home));
    const socket = net.connect(getSocketPath(home));
    socket.on("error", () => undefined);
    socket.write(`${token}\n`);
    try {
      const received: readonly unknown[] = await once(socket, "data", { signal: AbortSignal.timeout(CONNECT_MS) });
      socket.pause();
      if (String(received[0]) !== WELCOME) throw new Error("another program answered");

      return socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  } catch (cause) {
    throw new AppError("containers_missing", { cause });
  }
};

export const hasBroker = async (home: string): Promise<boolean> => {
  const socket = await connectToBroker(home).catch(() => null);
  socket?.destroy();

  return socket !== null;
};
