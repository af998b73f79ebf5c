/** Roles, schema and set-up link. */
import { applyMigrations } from "../../prisma/migrate.ts";
import { ensureRoles } from "../../server/db/roles.ts";
import { passwordsOf, writeUrls, type DatabaseUrls } from "./database-file.ts";
import { getCode, StartFailure, wordsOf } from "./failure.ts";

const serverOf = (adminUrl: string): string => {
  const { hostname, port } = new URL(adminUrl);

  return `${hostname}:${port === "" ? 5432 : port}`;
};

const sentences: Readonly<Record<string, (adminUrl: string) => string>> = {
  "42501": (url) =>
    `The database user "${new URL(url).username}" in DATABASE_URL lacks permissions: it must be able to create roles and own the database "${new URL(url).pathname.slice(1)}".`,
  "28P01": (url) => `The database at ${serverOf(url)} rejected the password in DATABASE_URL.`,
  "28000": (url) => `The database at ${serverOf(url)} rejected the user in DATABASE_URL.`,
  "3D000": (url) => `The database "${new URL(url).pathname.slice(1)}" in DATABASE_URL does not exist at ${serverOf(url)}. Create it first.`,
};

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ECONNRESET", "EAI_AGAIN"]);

const explain = (error: unknown, adminUrl: string): StartFailure => {
  const code = getCode(error) ?? "";

  // The migration engine keeps only the error's words.
  const known =
    sentences[code] ?? (/permission denied|must be (?:owner|member)|must have/iu.test(wordsOf(error)) ? sentences["42501"] : undefined);

  if (known !== undefined) return new StartFailure(known(adminUrl), error);
  if (unreachable.has(code) || /timeout/iu.test(wordsOf(error))) {
    return new StartFailure(
      `Cannot connect to the database at ${serverOf(adminUrl)} (${code || wordsOf(error)}). Check DATABASE_URL.`,
      error,
    );
  }

  return new StartFailure(`Preparing the database failed: ${wordsOf(error)}.`, error);
};

export type ReadyDatabase = { readonly urls: DatabaseUrls; readonly applied: readonly string[] };

/** @throws StartFailure for a wrong connection string */
export const prepareDatabase = async (home: string, adminUrl: string): Promise<ReadyDatabase> => {
  const passwords = passwordsOf(home);
  const urls = writeUrls(home, adminUrl, passwords);

  try {
    await ensureRoles(adminUrl, passwords);

    return { urls, applied: await applyMigrations(adminUrl) };
  } catch (error) {
    throw explain(error, adminUrl);
  }
};
