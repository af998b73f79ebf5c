import { readHeldUrls } from "../start/database-file.ts";

/** Returns the runner's database URL: the operator may see everything. */
export const installedDatabaseUrl = (home: string): string | null => readHeldUrls(home)?.runner ?? null;
