import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { vi } from "vitest";
import { testInstallation } from "@/server/mcp/testing/installation";

const VAULT = "ab".repeat(32);

/** Makes a folder with a vault key. @returns the key */
export const homeWithVault = async (): Promise<string> => {
  const { home } = await testInstallation();
  vi.stubEnv("COUNTERSIGN_HOME", home);
  await mkdir(path.join(home, "keys"), { recursive: true });
  await writeFile(path.join(home, "keys", "vault.key"), VAULT, { mode: 0o600 });

  return VAULT;
};
