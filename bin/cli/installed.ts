import { readHeldUrls, type HeldUrls } from "../start/database-file.ts";

/** Returns a database URL; the runner's sees everything. */
export const installedDatabaseUrl = (home: string, role: keyof HeldUrls): string | null => readHeldUrls(home)?.[role] ?? null;
