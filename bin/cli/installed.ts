/** The database of the installation that is running, if one was ever started. */
import { readHeldUrls } from "../start/database-file.ts";

/** As the runner sees it: the local operator may see all of the installation. */
export const installedDatabaseUrl = (home: string): string | null => readHeldUrls(home)?.runner ?? null;
