import { log } from "@/server/log";
import type { RunnerDeps } from "@/server/runner/deps";
import { forgetUnverified, listOpenEvents, openTriggerTurn, type StoredEvent } from "@/server/store/triggers/events";
import { workInTurn } from "@/server/turn-loop";
import { advanceQueued, decideEvent, startAccepted } from "./decide";
import { catchUpWithClock, serveSchedules } from "./schedule";

type Handle = (deps: RunnerDeps, event: StoredEvent) => Promise<void>;

const handle = async (deps: RunnerDeps, events: readonly StoredEvent[], each: Handle): Promise<void> => {
  for (const event of events) {
    await each(deps, event).catch((error: unknown) =>
      log().error({ event: event.id, err: error }, "an event of a trigger was not handled"),
    );
    deps.notify(event.id);
  }
};

const placeKey = ({ workspaceId, graphId, trigger }: StoredEvent): string => `${workspaceId} ${graphId} ${trigger}`;

const firstOfEach = (events: readonly StoredEvent[]): readonly StoredEvent[] => [
  ...new Map(events.toReversed().map((event) => [placeKey(event), event])).values(),
];

export const lookAtTriggers = async (deps: RunnerDeps): Promise<void> => {
  await serveSchedules(deps);
  await handle(deps, await listOpenEvents("pending"), decideEvent);
  await handle(deps, firstOfEach(await listOpenEvents("queued")), advanceQueued);
  await handle(deps, await listOpenEvents("accepted"), startAccepted);
};

const TIDY_MS = 60_000;

/** Works until `signal` aborts. */
export const workTriggers = (deps: RunnerDeps, signal: AbortSignal): Promise<void> => {
  let tidiedMs = -Infinity;
  const look = async (): Promise<void> => {
    if (performance.now() - tidiedMs >= TIDY_MS) {
      tidiedMs = performance.now();
      await catchUpWithClock(deps);
      await forgetUnverified(deps.clock.now());
    }
    await lookAtTriggers(deps);
  };

  return workInTurn({ open: openTriggerTurn, look, complaint: "triggers are not looked at for a moment" }, signal);
};
