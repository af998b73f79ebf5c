/** Tool host process: MCP, credentials and stdio servers, but no key, vault or database. */
import net from "node:net";
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { RemoteFailure } from "@/server/ipc/errors";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { processFailureOf } from "@/server/mcp/server-failure";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { createContainerStarter } from "@/server/mcp/containers/client";
import { BROKER_FD } from "@/server/sandbox/channel";
import { createToolHost } from "@/server/tool-host/host";
import { CONTAINERS_ARGUMENT, controlProtocol, hostProtocol, TOOL_HOST_LIMITS } from "@/server/tool-host/protocol";

const [, , scratch, containers] = process.argv;
if (scratch === undefined) throw new Error("a tool host is started by the runner");

/** If a message fails, the control plane is gone, and this process ends too. */
const unlessLost = (told: Promise<null>): void => void told.catch(() => undefined);

const endWithBroker = (): void => parent.close();

const host = createToolHost({
  installation: { home: readEnv().COUNTERSIGN_HOME, root: process.cwd() },
  scratch,
  clock: systemClock,
  publicKeys: listPublicKeys,
  startContainer:
    containers === CONTAINERS_ARGUMENT
      ? createContainerStarter(new net.Socket({ fd: BROKER_FD, readable: true, writable: true }), endWithBroker)
      : null,
  tell: {
    progress: (call, progress) => unlessLost(parent.call("progress", { call, progress })),
    closed: (connection) => unlessLost(parent.call("closed", { connection })),
    updated: (connection, uri) => unlessLost(parent.call("updated", { connection, uri })),
  },
});

const parent: Peer<typeof controlProtocol> = connectToParent({
  serves: hostProtocol,
  handlers: host.handlers,
  calls: controlProtocol,
  limits: TOOL_HOST_LIMITS,
  describeError: (error) => (error instanceof AppError ? new RemoteFailure(error.code, error.message, processFailureOf(error)) : null),
  beforeExit: () => host.close(),
});

process.on("SIGTERM", () => parent.close());
