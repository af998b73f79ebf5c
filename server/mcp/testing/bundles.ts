import { cp } from "node:fs/promises";
import path from "node:path";
import { bundleOnce } from "@/bin/bundle-once";
import type { Installation } from "@/server/mcp/programs/installation";

type Entries = Readonly<Record<string, string>>;

/** Bundles once for all test files. @returns the folder */
export const bundleShared = ({ root }: Pick<Installation, "root">, entries: Entries): Promise<string> =>
  bundleOnce({ root, entries, cache: "countersign-test-programs", folders: ["bin", "bench"] });

/** Copies bundles to `build/<name>.mjs`. */
export const bundleInto = async (installation: Installation, entries: Entries): Promise<void> =>
  cp(await bundleShared(installation, entries), path.join(installation.home, "build"), { recursive: true });

export const bundleServers = (installation: Installation, ids: readonly string[]): Promise<void> =>
  bundleInto(installation, Object.fromEntries(ids.map((id) => [id, `./server/mcp/${id}/main.ts`])));

export const bundleCustomers = (installation: Installation): Promise<void> => bundleServers(installation, ["customers"]);
