/** Recent commands of this browser, newest first. */
import { z } from "zod";

const NAME = "countersign.recent-commands";
const MAX_KEPT = 6;

const keptSchema = z.array(z.string().max(300)).max(MAX_KEPT);

/** Empty without valid storage. */
export const readRecentCommands = (): readonly string[] => {
  try {
    return keptSchema.parse(JSON.parse(window.localStorage.getItem(NAME) ?? "[]"));
  } catch {
    return [];
  }
};

export const rememberCommand = (id: string): void => {
  try {
    window.localStorage.setItem(NAME, JSON.stringify([id, ...readRecentCommands().filter((each) => each !== id)].slice(0, MAX_KEPT)));
  } catch {
    // No storage: no recent commands.
  }
};
