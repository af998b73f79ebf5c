import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Installation } from "@/server/mcp/programs/installation";
import type { Declared } from "@/server/mcp/programs/offer";

export type Place = {
  readonly root: string;
  readonly at: Installation;
  readonly write: (name: string, text?: string, mode?: number) => Promise<string>;
};

const HONEST = "export const honest = true;\n";

/** Makes an installation, removed after the test. */
export const makePlace = async (): Promise<Place> => {
  const root = await realpath(await mkdtemp(path.join(os.tmpdir(), "programs-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const at = { home: path.join(root, "state"), root: path.join(root, "app") };
  for (const folder of ["state/keys", "state/inbox", "app/bin", "srv/docs/team", "outside"])
    await mkdir(path.join(root, folder), { recursive: true });
  await writeFile(path.join(at.home, "keys", "signing.key"), "secret");

  return {
    root,
    at,
    write: async (name, text = HONEST, mode = 0o600) => {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text, { mode });

      return file;
    },
  };
};

export const declared = (change: Partial<Declared> = {}): Declared => ({
  id: "server",
  name: "Server",
  args: [],
  env: {},
  placeholders: {},
  ...change,
});

/** Returns the refusal's message. */
export const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "let in",
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
