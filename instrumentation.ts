/** Before a web process answers: client addresses and traces. */
declare global {
  namespace NodeJS {
    interface ProcessEnv {
      readonly NEXT_RUNTIME?: "nodejs" | "edge";
    }
  }
}

export const register = async (): Promise<void> => {
  // At build time, so that nothing of the server is bundled for the edge.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { settleClientAddresses } = await import("@/server/auth/client-address");
  const { readEnv: env } = await import("@/server/env");
  settleClientAddresses(env().COUNTERSIGN_TRUSTED_PROXIES);
  const { startTracing } = await import("@/server/trace-setup");
  await startTracing("countersign-web");
};
