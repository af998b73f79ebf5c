import { uuidSchema } from "@/lib/ids";
import { openListener } from "@/server/store/listener";

export type RunListener = {
  readonly onRun: (runId: string) => void;
  readonly onLost: () => void;
};

/** Listens for committed records. @returns a stop function */
export const listenToRuns = async ({ onRun, onLost }: RunListener): Promise<() => void> => {
  const onNotification = (payload: string | undefined): void => {
    const runId = uuidSchema.safeParse(payload);
    if (runId.success) onRun(runId.data);
  };

  return (await openListener("countersign_run", onNotification, onLost)).close;
};
