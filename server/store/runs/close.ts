import { closeDatabase } from "@/server/db/client";

/** Ends this process's connections, so that a finished command can exit. */
export const closeStore = (): Promise<void> => closeDatabase();
