/** Sets client addresses and traces before a web process answers. */
declare global {
  namespace NodeJS {
    interface ProcessEnv {
      readonly NEXT_RUNTIME?: "nodejs" | "edge";
    }
  }
}

export const register = async (): Promise<void> => {
  // Keeps the server out of the edge bundle.
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { settleClientAddresses } = await import("@/server/auth/client-address");
  const { readEnv: env } = await import("@/server/env");
  settleClientAddresses(env().COUNTERSIGN_TRUSTED_PROXIES);
  const { startTracing } = await import("@/server/trace-setup");
  await startTracing("countersign-web");
};
