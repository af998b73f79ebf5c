import { afterAll } from "vitest";
import { closeRunBus } from "@/server/live/run-bus";
import { createIdTokenVerifier, type Provider } from "@/server/runner/sign-in/id-token";
import { answerCommands, testControlPlane, type TestControlPlane } from "@/server/testing/authority";
import { homeWithVault } from "@/server/testing/home";

/** Runs web process and control plane in one process. */
export const answeringPlane = async (adminUrl: string, provider: Provider | null = null): Promise<TestControlPlane> => {
  const plane = await testControlPlane(await homeWithVault());
  const stop = answerCommands(adminUrl, plane, provider && createIdTokenVerifier(plane, provider));
  afterAll(async () => {
    await stop();
    closeRunBus();
  });

  return plane;
};
