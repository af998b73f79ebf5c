import pg from "pg";
import { log } from "@/server/log";
import { targetSchema, type Target } from "@/server/runner/dispatch-queue";

const RECONNECT_MS = 1_000;

type Heard = {
  readonly onCommand: (target: Target) => void;
  readonly onJobs: () => void;
  /** Queued starts, which the sweep finds. */
  readonly onStarts: () => void;
  readonly onStop: (workspaceId: string) => void;
  /** Announcements may have been missed. */
  readonly onConnected: () => void;
};

export type Listener = { readonly close: () => Promise<void> };

export const listen = (connectionString: string, { onCommand, onJobs, onStarts, onStop, onConnected }: Heard): Listener => {
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;
  let client: pg.Client | null = null;

  const again = (gone: pg.Client): void => {
    if (isClosed || client !== gone) return;
    client = null;
    log().warn("the listener for commands is cut off; until it is back the sweep finds them");
    timer = setTimeout(connect, RECONNECT_MS);
  };

  function connect(): void {
    const opening = new pg.Client({
      connectionString,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
    });
    client = opening;
    opening.on("error", () => {
      void opening.end().catch(() => undefined);
      again(opening);
    });
    opening.on("end", () => again(opening));
    opening.on("notification", ({ channel, payload = "" }) => {
      if (channel === "countersign_job") return onJobs();
      if (channel === "countersign_start") return onStarts();
      if (channel === "countersign_stop") return onStop(payload);
      const [workspaceId, runId] = payload.split(" ");
      const target = targetSchema.safeParse({ workspaceId, runId });
      if (target.success) onCommand(target.data);
    });
    opening
      .connect()
      .then(() => opening.query("listen countersign_command; listen countersign_job; listen countersign_start; listen countersign_stop"))
      .then(onConnected)
      .catch(() => again(opening));
  }
  connect();

  return {
    close: async () => {
      isClosed = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
};
