import { closeDatabase } from "@/server/db/client";

/** Closes the database, so that a command can exit. */
export const closeStore = (): Promise<void> => closeDatabase();
