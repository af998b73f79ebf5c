/** Watches the stop switches of this process's workspaces. */
import type { TryOut } from "@/server/mcp/console";
import { ModelError, type ModelsFor } from "@/server/models/contract";
import { isStopped, readStops } from "@/lib/stop/stops";
import { log } from "@/server/log";
import { isAuthorityError, type AuthorityReader } from "@/server/store/trust/authority";

/** Lost notifications are noticed within this time. */
const LOOK_MS = 400;

export type Watched = {
  /** As of at most `LOOK_MS` ago. */
  readonly isStopped: () => boolean;
  readonly end: () => void;
};

export type StopSwitches = {
  /** @param onStop when work is stopped from now on, not if it is already */
  readonly watch: (workspaceId: string, onStop: () => void) => Promise<Watched>;
  /** Returns whether work is stopped now. */
  readonly isStopped: (workspaceId: string) => Promise<boolean>;
  /** Looks at once. */
  readonly look: (workspaceId: string) => void;
  readonly close: () => void;
};

type Seen = { isStopped: boolean; looking: Promise<void> | null; readonly listeners: Set<() => void> };

export const createStopSwitches = (authority: Pick<AuthorityReader, "read">): StopSwitches => {
  const seen = new Map<string, Seen>();

  /** A ledger that does not verify permits nothing. @throws the connection's error */
  const read = async (workspaceId: string): Promise<boolean> => {
    try {
      return isStopped(readStops(await authority.read(workspaceId)));
    } catch (error) {
      if (isAuthorityError(error)) return true;
      throw error;
    }
  };
  const warn = (error: unknown): void => log().warn({ error: String(error) }, "the stop switch could not be read");
  /** Unknown counts as stopped until the next look. */
  const readOnce = async (workspaceId: string): Promise<boolean> => {
    try {
      return await read(workspaceId);
    } catch (error) {
      warn(error);

      return true;
    }
  };
  const refresh = async (workspaceId: string, one: Seen): Promise<void> => {
    const before = one.isStopped;
    one.isStopped = await read(workspaceId);
    if (one.isStopped && !before) one.listeners.forEach((stop) => stop());
  };
  const look = (workspaceId: string): Promise<void> | null => {
    const one = seen.get(workspaceId);
    if (!one) return null;
    one.looking ??= refresh(workspaceId, one).finally(() => (one.looking = null));

    return one.looking;
  };
  const lookAgain = (workspaceId: string): void => {
    // The look under way may have read before the change.
    void Promise.resolve(seen.get(workspaceId)?.looking)
      .catch(() => undefined)
      .then(() => look(workspaceId))
      .catch(warn);
  };
  const timer = setInterval(() => {
    for (const workspaceId of seen.keys()) lookAgain(workspaceId);
  }, LOOK_MS);
  timer.unref();

  return {
    watch: async (workspaceId, onStop) => {
      const known = seen.get(workspaceId) ?? { isStopped: await readOnce(workspaceId), looking: null, listeners: new Set() };
      // Another drive may have begun to watch meanwhile.
      const one = seen.get(workspaceId) ?? known;
      seen.set(workspaceId, one);
      const listener = (): void => onStop();
      one.listeners.add(listener);

      return {
        isStopped: () => one.isStopped,
        end: () => {
          one.listeners.delete(listener);
          if (one.listeners.size === 0) seen.delete(workspaceId);
        },
      };
    },
    isStopped: read,
    look: lookAgain,
    close: () => clearInterval(timer),
  };
};

/** Lets admins try no tool out while work is stopped. */
export const refuseWhileStopped =
  (switches: StopSwitches, tryOut: TryOut): TryOut =>
  async (ask, asked, signal) =>
    (await switches.isStopped(asked.workspaceId)) ? { status: "refused", code: "stopped" } : tryOut(ask, asked, signal);

/** Models that answer nothing while work is stopped, for calls outside runs. */
export const silenceWhileStopped =
  (switches: StopSwitches, modelsFor: ModelsFor): ModelsFor =>
  async (workspaceId, environment) => {
    const models = await modelsFor(workspaceId, environment);

    return {
      ...models,
      generate: async (request, signal, note) => {
        if (await switches.isStopped(workspaceId))
          throw new ModelError("model_not_allowed", false, "All work is stopped.", { billed: "no" });

        return models.generate(request, signal, note);
      },
    };
  };
