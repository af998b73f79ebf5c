import { openListener, type Channel } from "./listener";

/** A dedicated connection. */
export type Turn = {
  /** False: another process holds the lock. */
  readonly take: () => Promise<boolean>;
  readonly close: () => void;
};

type Kind = { readonly channel: Channel; readonly lock: `countersign.${string}` };

/** Listens for work that one runner at a time does. @param onLost the lock is lost */
export const openLeaderLock = async ({ channel, lock }: Kind, onWake: () => void, onLost: () => void): Promise<Turn> => {
  const { client, close } = await openListener(channel, onWake, onLost);
  let mine = false;

  return {
    take: async () => {
      if (!mine) {
        const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock(hashtext($1)) as mine", [lock]);
        mine = rows[0]?.mine === true;
      }

      return mine;
    },
    close,
  };
};
