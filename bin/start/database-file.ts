/** `database.json`: how each role gets to the database. The passwords are random and only stand there. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { urlOf, type RolePasswords } from "../../server/db/roles.ts";
import { writeSecret } from "./home.ts";

export type DatabaseUrls = { readonly admin: string; readonly web: string; readonly runner: string; readonly customers: string };

const fileOf = (home: string): string => path.join(home, "database.json");

/** What stands in the file; null when it is not there or not readable as such. */
const readUrls = (home: string): DatabaseUrls | null => {
  try {
    const { admin, web, runner, customers } = JSON.parse(fs.readFileSync(fileOf(home), "utf8"));

    return [admin, web, runner, customers].every((url) => typeof url === "string" && URL.canParse(url)) ? { admin, web, runner, customers } : null;
  } catch {
    return null;
  }
};

const passwordIn = (url: string | undefined): string | null => (url === undefined ? null : decodeURIComponent(new URL(url).password));

const fresh = (): string => randomBytes(24).toString("hex");

/** The passwords of the last start, or new ones. */
export const passwordsOf = (home: string): RolePasswords => {
  const urls = readUrls(home);
  const last = (role: keyof RolePasswords): string => passwordIn(urls?.[role]) ?? fresh();

  return { web: last("web"), runner: last("runner"), customers: last("customers") };
};

/** Writes the file before the passwords are used anywhere, so that a kill in between loses none. */
export const writeUrls = (home: string, admin: string, passwords: RolePasswords): DatabaseUrls => {
  const urls = {
    admin,
    web: urlOf(admin, "web", passwords),
    runner: urlOf(admin, "runner", passwords),
    customers: urlOf(admin, "customers", passwords),
  };

  writeSecret(fileOf(home), `${JSON.stringify(urls, null, 2)}\n`);

  return urls;
};
