import { readFile } from "node:fs/promises";
import path from "node:path";
import { listHelpFiles } from "@/lib/help/page-name";

export type HelpPage = { readonly file: string; readonly text: string };

export const readHelpPage = async (segments: readonly string[]): Promise<HelpPage | null> => {
  for (const file of listHelpFiles(segments)) {
    const text = await readFile(path.join(/* turbopackIgnore: true */ process.cwd(), "docs", file), "utf8").catch(() => null);
    if (text !== null) return { file, text };
  }

  return null;
};
