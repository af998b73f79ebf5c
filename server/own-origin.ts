import { readEnv } from "@/server/env";

/** This installation's public origin, without a path. */
export const ownOrigin = (): string => {
  const { NEXTAUTH_URL: url, HOST: host, PORT: port } = readEnv();

  return new URL(url ?? `http://${host}:${port}`).origin;
};
