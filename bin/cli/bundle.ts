import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundleOnce } from "../bundle-once.ts";

/** @returns its URL */
export const cliProgram = async (root: string): Promise<string> => {
  const folder = await bundleOnce({
    root,
    entries: { main: "./server/cli/main.ts" },
    cache: "countersign-cli",
    // Keeps the database client out of commands without a database.
    options: { splitting: true },
  });

  return pathToFileURL(path.join(folder, "main.mjs")).href;
};
