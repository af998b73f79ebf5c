import type pg from "pg";
import { lendConnection } from "@/server/db/client";

export type Listener = {
  /** Of its own: it can hold locks too. */
  readonly client: pg.PoolClient;
  readonly close: () => void;
};

/** Channel names cannot be parameters. */
export type Channel = `countersign_${string}`;

/** Listens on a dedicated connection. @param onLost it was cut; not called after `close` */
export const openListener = async (
  channel: Channel,
  onNotification: (payload: string | undefined) => void,
  onLost: () => void,
): Promise<Listener> => {
  const client = await lendConnection();
  let isOpen = true;
  const close = (isLost: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    client.removeAllListeners("notification");
    // Destroyed, not released: it would keep listening and hold its locks.
    client.release(true);
    if (isLost) onLost();
  };
  client.on("error", () => close(true));
  client.on("end", () => close(true));
  client.on("notification", ({ payload }) => onNotification(payload));
  try {
    await client.query(`listen ${channel}`);
  } catch (error) {
    close(false);
    throw error;
  }

  return { client, close: () => close(false) };
};
