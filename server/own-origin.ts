/** This installation's public origin. */
import { env } from "@/server/env";

/** Without a path. */
export const ownOrigin = (): string => {
  const { NEXTAUTH_URL: url, HOST: host, PORT: port } = env();

  return new URL(url ?? `http://${host}:${port}`).origin;
};
