import { uuidSchema } from "@/lib/ids";
import { getPool } from "@/server/db/client";

const RUN_CHANNEL = "countersign_run";

export type RunListener = {
  readonly onRun: (runId: string) => void;
  readonly onLost: () => void;
};

/** Listens for committed records. @returns a stop function */
export const listenToRuns = async ({ onRun, onLost }: RunListener): Promise<() => void> => {
  const client = await getPool().connect();
  let isOpen = true;
  const close = (isLost: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    client.removeAllListeners("notification");
    // Destroyed, not released: it would keep listening.
    client.release(true);
    if (isLost) onLost();
  };

  client.on("error", () => close(true));
  client.on("end", () => close(true));
  client.on("notification", ({ payload }) => {
    const runId = uuidSchema.safeParse(payload);
    if (runId.success) onRun(runId.data);
  });
  try {
    await client.query(`listen ${RUN_CHANNEL}`);
  } catch (error) {
    close(false);
    throw error;
  }

  return () => close(false);
};
