import net from "node:net";
import { CHANNEL_FD } from "@/server/sandbox/channel";
import { createPeer, type Peer, type PeerOptions, type Protocol } from "./peer";

type ParentOptions<Serves extends Protocol, Calls extends Protocol> = Omit<PeerOptions<Serves, Calls>, "onLost"> & {
  /** The parent kills the process if this takes too long. */
  readonly beforeExit?: () => Promise<void>;
};

/** Opens the channel to the parent, once; the process ends with it. */
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
