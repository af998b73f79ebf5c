/** Web process and control plane in one process, for tests of what the web process asks for and then reads. */
import { afterAll } from "vitest";
import { closeRunBus } from "@/server/live/run-bus";
import { createIdTokenVerifier, type Provider } from "@/server/runner/sign-in/id-token";
import { answerCommands, testControlPlane, type TestControlPlane } from "@/server/testing/authority";
import { homeWithVault } from "@/server/testing/home";

/**
 * Call it at the top of a test file whose database is the administrator's: the connection needs the rights of both.
 * @param provider the identity provider whose tokens it takes
 * @returns the control plane, which carries out commands to workspaces until the file ends
 */
export const answeringPlane = async (adminUrl: string, provider: Provider | null = null): Promise<TestControlPlane> => {
  const plane = await testControlPlane(await homeWithVault());
  const stop = answerCommands(adminUrl, plane, provider && createIdTokenVerifier(plane, provider));
  afterAll(async () => {
    await stop();
    closeRunBus();
  });

  return plane;
};
