/** A browser has one session, of one workspace. */

const CHANNEL = "countersign.workspace";
/** Earlier requests may be answered after a switch. */
const LEAVING_MS = 5_000;

type Message = { readonly shown: string } | { readonly leaving: true };

let shown: string | null = null;
let isStale = false;
let leavingUntilMs = 0;
let channel: BroadcastChannel | null = null;
const listeners = new Set<() => void>();

const set = (stale: boolean): void => {
  if (isStale === stale) return;
  isStale = stale;
  for (const listener of listeners) listener();
};

const hear = ({ data }: MessageEvent<Message>): void => {
  if ("shown" in data) set(shown !== null && data.shown !== shown);
  else leavingUntilMs = Date.now() + LEAVING_MS;
};

export const tab = {
  show: (workspace: string): void => {
    shown = workspace;
    if (channel === null) {
      channel = new BroadcastChannel(CHANNEL);
      channel.addEventListener("message", hear);
    }
    channel.postMessage({ shown: workspace } satisfies Message);
    set(false);
  },
  announceLeaving: (): void => channel?.postMessage({ leaving: true } satisfies Message),
  isLeaving: (): boolean => isStale || Date.now() < leavingUntilMs,
  isStale: (): boolean => isStale,
  markStale: (): void => set(true),
  subscribe: (listener: () => void) => {
    listeners.add(listener);

    return () => {
      listeners.delete(listener);
    };
  },
};
