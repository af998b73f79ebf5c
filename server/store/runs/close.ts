import { closeDatabase, useDatabase } from "@/server/db/client";

/** Closes the database, so that a command can exit. */
export const closeStore = (): Promise<void> => closeDatabase();

/** Continues with another role's connection. */
export const reopenStore = (url: string): Promise<void> => useDatabase(url);
