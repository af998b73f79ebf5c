/** Web process and control plane in one process, for tests of what the web process asks for and then reads. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, vi } from "vitest";
import { closeRunBus } from "@/server/live/run-bus";
import { testInstallation } from "@/server/mcp/testing/installation";
import { answerCommands, testControlPlane, type TestControlPlane } from "@/server/testing/authority";

const VAULT = "ab".repeat(32);

/**
 * Call it at the top of a test file whose database is the administrator's: the connection needs the rights of both.
 * @returns the control plane, which carries out commands to workspaces until the file ends
 */
export const answeringPlane = async (adminUrl: string): Promise<TestControlPlane> => {
  const { home } = await testInstallation();
  vi.stubEnv("COUNTERSIGN_HOME", home);
  await mkdir(path.join(home, "keys"), { recursive: true });
  await writeFile(path.join(home, "keys", "vault.key"), VAULT, { mode: 0o600 });
  const plane = await testControlPlane(VAULT);
  const stop = answerCommands(adminUrl, plane);
  afterAll(async () => {
    await stop();
    closeRunBus();
  });

  return plane;
};
