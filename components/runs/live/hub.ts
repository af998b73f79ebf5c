/**
 * One live connection per browser: browsers allow only six per server. The tab with the lock shares versions over a channel; each tab loads
 * records itself.
 */
import type { Moved } from "@/server/trpc/routers/runs/live";

export type LinkState = "connecting" | "open" | "broken";

export type Listener = { readonly onMoved: (moved: Moved) => void; readonly onLink: (state: LinkState) => void };

/** Opens the connection. @returns a close function */
export type Connect = (runIds: readonly string[], on: Listener) => () => void;

export type Hub = {
  /** @returns an unfollow function */
  follow(runId: string, listener: Listener): () => void;
};

export type Message =
  | { readonly type: "want"; readonly tab: string; readonly runIds: readonly string[] }
  /** Sent by new leaders. */
  | { readonly type: "who" }
  | { readonly type: "moved"; readonly moved: Moved }
  | { readonly type: "link"; readonly state: LinkState };

/** Without these, each tab has its own connection. */
export type Surroundings = {
  readonly tab: string;
  /** This tab leads until `lead` settles. */
  readonly elect: (lead: () => Promise<void>) => void;
  readonly post: (message: Message) => void;
  readonly listen: (hear: (message: Message) => void) => void;
  /** Called when the tab closes. */
  readonly onLeave: (leave: () => void) => void;
};

const MOST_RUNS = 50;
/** Batches tabs that open together. */
const SETTLE_MS = 50;

const makeLead = (connect: Connect, tell: (message: Message) => void) => {
  const wants = new Map<string, readonly string[]>();
  const standings = new Map<string, Moved>();
  let following: readonly string[] = [];
  let link: LinkState = "connecting";
  let close = (): void => undefined;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const setLink = (state: LinkState): void => {
    link = state;
    tell({ type: "link", state });
  };
  const connectAgain = (): void => {
    timer = null;
    const wanted = [...new Set([...wants.values()].flat())].slice(-MOST_RUNS);
    if (wanted.length === following.length && wanted.every((id) => following.includes(id))) return;
    close();
    following = wanted;
    close = () => undefined;
    if (wanted.length === 0) return;
    close = connect(wanted, {
      onMoved: (moved) => {
        standings.set(moved.runId, moved);
        tell({ type: "moved", moved });
      },
      onLink: setLink,
    });
  };

  return {
    want: (tab: string, runIds: readonly string[]): void => {
      // The limit drops the oldest.
      wants.delete(tab);
      if (runIds.length > 0) wants.set(tab, runIds);
      for (const id of runIds) {
        const known = standings.get(id);
        if (known) tell({ type: "moved", moved: known });
      }
      tell({ type: "link", state: link });
      timer ??= setTimeout(connectAgain, SETTLE_MS);
    },
    close: (): void => {
      if (timer !== null) clearTimeout(timer);
      close();
    },
  };
};

export const makeHub = (connect: Connect, { tab, elect, post, listen, onLeave }: Surroundings): Hub => {
  const listeners = new Map<string, Set<Listener>>();
  let lead: ReturnType<typeof makeLead> | null = null;

  const hear = (message: Message): void => {
    switch (message.type) {
      case "moved":
        for (const listener of listeners.get(message.moved.runId) ?? []) listener.onMoved(message.moved);
        break;
      case "link":
        for (const listener of [...listeners.values()].flatMap((set) => [...set])) listener.onLink(message.state);
        break;
      case "who":
        want();
        break;
      case "want":
        lead?.want(message.tab, message.runIds);
        break;
      default:
        message satisfies never;
    }
  };
  /** Also handles the message here. */
  const tell = (message: Message): void => {
    post(message);
    hear(message);
  };
  const want = (): void => tell({ type: "want", tab, runIds: [...listeners.keys()] });

  listen(hear);
  elect(
    () =>
      new Promise<void>((resolve) => {
        lead = makeLead(connect, tell);
        onLeave(() => {
          lead?.close();
          resolve();
        });
        tell({ type: "who" });
      }),
  );
  onLeave(() => post({ type: "want", tab, runIds: [] }));

  return {
    follow: (runId, listener) => {
      const set = listeners.get(runId) ?? new Set();
      listeners.set(runId, set.add(listener));
      want();

      return () => {
        set.delete(listener);
        if (set.size === 0) listeners.delete(runId);
        want();
      };
    },
  };
};
