import fs from "node:fs";
import { CHANNEL_FD } from "@/server/sandbox/channel";
import { RemoteFailure } from "@/server/ipc/errors";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { parentProtocol, childProtocol } from "@/server/ipc/testing/protocol";

const parent: Peer<typeof parentProtocol> = connectToParent({
  serves: childProtocol,
  calls: parentProtocol,
  describeError: (error) => (error instanceof RemoteFailure ? error : null),
  handlers: {
    echo: async (text) => text,
    relay: (text, signal) => parent.call("greet", text, signal),
    fail: async (code) => {
      throw new RemoteFailure(code, "asked to fail", { code });
    },
    wait: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve("aborted"));
      }),
    misbehave: async (how) => {
      if (how === "hang") for (;;);
      if (how === "crash") process.exit(3);
      if (how === "garbage") fs.writeSync(CHANNEL_FD, Buffer.from([0, 0, 0, 2, 0x7b, 0x7b]));
      if (how === "huge") fs.writeSync(CHANNEL_FD, Buffer.from([0xff, 0xff, 0xff, 0xff]));
      if (how === "unasked") {
        const frame = Buffer.from(JSON.stringify({ type: "answer", id: 4_000, body: null }));
        const header = Buffer.alloc(4);
        header.writeUInt32BE(frame.length);
        fs.writeSync(CHANNEL_FD, Buffer.concat([header, frame]));
      }
      await new Promise(() => undefined);

      return null;
    },
    // oxlint-disable-next-line node/no-process-env -- the names of it are what a test looks at
    environment: async () => ({ pid: process.pid, names: Object.keys(process.env).toSorted() }),
  },
});
