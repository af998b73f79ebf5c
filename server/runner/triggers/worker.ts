import { log } from "@/server/log";
import type { ReadMailbox } from "@/server/mail/mailbox-request";
import type { McpService } from "@/server/mcp/service";
import type { RunnerDeps } from "@/server/runner/deps";
import { forgetUnverified, listOpenEvents, openTriggerTurn, type StoredEvent } from "@/server/store/triggers/events";
import { workInTurn } from "@/server/turn-loop";
import { advanceQueued, decideEvent, startAccepted } from "./decide";
import { readMailboxes } from "./mailboxes";
import { readResources } from "./resources";
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

/** A slow server holds nothing else up. */
const readAside = (read: () => Promise<number>, complaint: string) => {
  let reading: Promise<void> | null = null;
  const readOnce = async (ring: () => void): Promise<void> => {
    let count = 0;
    try {
      count = await read();
    } catch (error) {
      log().warn({ error: error instanceof Error ? error.name : "unknown" }, complaint);
    } finally {
      reading = null;
      if (count > 0) ring();
    }
  };

  return {
    begin: (ring: () => void): void => {
      reading ??= readOnce(ring);
    },
    settle: async () => reading,
  };
};

type Sources = { readonly mailbox: ReadMailbox; readonly resources: McpService["resources"] };

export const workTriggers = (deps: RunnerDeps, { mailbox, resources }: Sources, signal: AbortSignal): Promise<void> => {
  let tidiedMs = -Infinity;
  const readers = [
    readAside(() => readMailboxes(deps, mailbox), "mailboxes are not read for a moment"),
    readAside(() => readResources(deps, resources, signal), "resources are not read for a moment"),
  ];
  const look = async (ring: () => void): Promise<void> => {
    for (const reader of readers) reader.begin(ring);
    if (performance.now() - tidiedMs >= TIDY_MS) {
      tidiedMs = performance.now();
      await catchUpWithClock(deps);
      await forgetUnverified(deps.clock.now());
    }
    await lookAtTriggers(deps);
  };
  const settle = () => Promise.all(readers.map((reader) => reader.settle()));

  return workInTurn({ open: openTriggerTurn, look, settle, complaint: "triggers are not looked at for a moment" }, signal);
};
