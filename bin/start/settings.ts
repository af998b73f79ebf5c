import path from "node:path";
import { StartFailure } from "./failure.ts";

export const ROOT = path.resolve(import.meta.dirname, "..", "..");

export type Settings = {
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** Only this machine can reach it. */
  readonly loopback: boolean;
  /** External Postgres, as administrator. */
  readonly databaseUrl: string | null;
  readonly url: string;
};

const given = (name: string): string | null => {
  const value = process.env[name];

  return value === undefined || value === "" ? null : value;
};

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/u.test(host);

/** @throws StartFailure for an invalid value */
export const readSettings = (): Settings => {
  const port = Number(given("PORT") ?? 3000);
  const host = given("HOST") ?? "127.0.0.1";
  const databaseUrl = given("DATABASE_URL");

  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new StartFailure(`PORT is "${given("PORT")}", but must be a number from 1 to 65535.`);
  }
  if (databaseUrl !== null && !(URL.canParse(databaseUrl) && /^postgres(?:ql)?:$/u.test(new URL(databaseUrl).protocol))) {
    throw new StartFailure("DATABASE_URL must be a connection string of the form postgresql://user:password@host:5432/database.");
  }

  return {
    home: path.resolve(ROOT, given("COUNTERSIGN_HOME") ?? ".countersign"),
    host,
    port,
    loopback: isLoopback(host),
    databaseUrl,
    // Browsers treat `localhost` as secure without TLS.
    url: given("NEXTAUTH_URL") ?? `http://localhost:${port}`,
  };
};
