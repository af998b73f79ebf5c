/** Web process and control plane in one process, for tests of what the web process asks for and then reads. */
import { afterAll } from "vitest";
import { closeRunBus } from "@/server/live/run-bus";
import { answerCommands, testControlPlane, type TestControlPlane } from "@/server/testing/authority";
import { homeWithVault } from "@/server/testing/home";

/**
 * Call it at the top of a test file whose database is the administrator's: the connection needs the rights of both.
 * @returns the control plane, which carries out commands to workspaces until the file ends
 */
export const answeringPlane = async (adminUrl: string): Promise<TestControlPlane> => {
  const plane = await testControlPlane(await homeWithVault());
  const stop = answerCommands(adminUrl, plane);
  afterAll(async () => {
    await stop();
    closeRunBus();
  });

  return plane;
};
