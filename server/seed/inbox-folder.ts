import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { DEMO_MAILS } from "@/server/seed/support-desk/inbox";

const isThere = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EEXIST";

/** Writes the demo's mails to `<home>/inbox`, keeping existing files. */
export const ensureInbox = async (home: string): Promise<void> => {
  const folder = path.join(home, "inbox");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(DEMO_MAILS)) {
    await writeFile(path.join(folder, name), text, { flag: "wx" }).catch((error: unknown) => {
      if (!isThere(error)) throw error;
    });
  }
};
