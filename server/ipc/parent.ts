/** Channel from this process to its parent. */
import net from "node:net";
import { CHANNEL_FD } from "@/server/sandbox/channel";
import { createPeer, type Peer, type PeerOptions, type Protocol } from "./peer";

type ParentOptions<Serves extends Protocol, Calls extends Protocol> = Omit<PeerOptions<Serves, Calls>, "onLost"> & {
  /** Awaited before exit; the parent kills the process if it takes too long. */
  readonly beforeExit?: () => Promise<void>;
};

/** Call once, at start. The process ends with the channel. */
export const connectToParent = <Serves extends Protocol, Calls extends Protocol>({
  beforeExit = async () => undefined,
  ...options
}: ParentOptions<Serves, Calls>): Peer<Calls> =>
  createPeer(new net.Socket({ fd: CHANNEL_FD, readable: true, writable: true }), {
    ...options,
    onLost: (reason) => {
      const exit = (): never => process.exit(reason === "closed" ? 0 : 1);
      beforeExit().then(exit, exit);
    },
  });
