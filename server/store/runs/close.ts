import { closeDatabase } from "@/server/db/client";

/** Ends the connections of this process: a command that is done must not wait for them. */
export const closeStore = (): Promise<void> => closeDatabase();
