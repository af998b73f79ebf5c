/** Tool host process: MCP, credentials and stdio servers, but no key, vault or database. */
import { AppError } from "@/lib/errors";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { RemoteFailure } from "@/server/ipc/errors";
import { connectToParent } from "@/server/ipc/parent";
import type { Peer } from "@/server/ipc/peer";
import { processFailureOf } from "@/server/mcp/server-failure";
import { listPublicKeys } from "@/server/security/trust-anchor";
import { createToolHost } from "@/server/tool-host/host";
import { controlProtocol, hostProtocol, TOOL_HOST_LIMITS } from "@/server/tool-host/protocol";

const [, , scratch] = process.argv;
if (scratch === undefined) throw new Error("a tool host is started by the runner");

/** If a message fails, the control plane is gone, and this process ends too. */
const unlessLost = (told: Promise<null>): void => void told.catch(() => undefined);

const host = createToolHost({
  installation: { home: readEnv().COUNTERSIGN_HOME, root: process.cwd() },
  scratch,
  clock: systemClock,
  publicKeys: listPublicKeys,
  tell: {
    progress: (call, progress) => unlessLost(parent.call("progress", { call, progress })),
    closed: (connection) => unlessLost(parent.call("closed", { connection })),
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
