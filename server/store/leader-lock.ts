import { getPool } from "@/server/db/client";

/** A dedicated connection. */
export type Turn = {
  /** False: another process holds the lock. */
  readonly take: () => Promise<boolean>;
  readonly close: () => void;
};

/** Channel names cannot be parameters. */
type Kind = { readonly channel: `countersign_${string}`; readonly lock: `countersign.${string}` };

/** Listens for work that one runner at a time does. @param onLost the lock is lost */
export const openLeaderLock = async ({ channel, lock }: Kind, onWake: () => void, onLost: () => void): Promise<Turn> => {
  const client = await getPool().connect();
  let isOpen = true;
  const close = (isLost: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    client.removeAllListeners("notification");
    // Destroyed, not released: it still listens and holds the lock.
    client.release(true);
    if (isLost) onLost();
  };
  client.on("error", () => close(true));
  client.on("end", () => close(true));
  client.on("notification", onWake);
  try {
    await client.query(`listen ${channel}`);
  } catch (error) {
    close(false);
    throw error;
  }
  let mine = false;

  return {
    take: async () => {
      if (!mine) {
        const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock(hashtext($1)) as mine", [lock]);
        mine = rows[0]?.mine === true;
      }

      return mine;
    },
    close: () => close(false),
  };
};
