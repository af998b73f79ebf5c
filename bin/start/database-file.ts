/** `database.json`: connections with random passwords, stored only there. */
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { urlOf, type RolePasswords } from "../../server/db/roles.ts";
import { writeSecret } from "./home.ts";

const urlsSchema = z.strictObject({ admin: z.url(), web: z.url(), runner: z.url(), customers: z.url() });

export type DatabaseUrls = Readonly<z.infer<typeof urlsSchema>>;

/** A fleet's process has its own connections only. */
const heldSchema = urlsSchema.partial();

export type HeldUrls = Readonly<z.infer<typeof heldSchema>>;

const fileOf = (home: string): string => path.join(home, "database.json");

const readAs = <T>(home: string, schema: z.ZodType<T>): T | null => {
  try {
    return schema.parse(JSON.parse(fs.readFileSync(fileOf(home), "utf8")));
  } catch {
    return null;
  }
};

/** Null: missing or not an installation's. */
export const readUrls = (home: string): DatabaseUrls | null => readAs(home, urlsSchema);

/** Null: missing or unreadable. */
export const readHeldUrls = (home: string): HeldUrls | null => readAs(home, heldSchema);

const passwordIn = (url: string | undefined): string | null => (url === undefined ? null : decodeURIComponent(new URL(url).password));

const fresh = (): string => randomBytes(24).toString("hex");

/** Passwords of the last start, or new ones. */
export const passwordsOf = (home: string): RolePasswords => {
  const urls = readUrls(home);
  const last = (role: keyof RolePasswords): string => passwordIn(urls?.[role]) ?? fresh();

  return { web: last("web"), runner: last("runner"), customers: last("customers") };
};

/** Writes before use, so that a kill loses no password. */
export const writeUrls = (home: string, admin: string, passwords: RolePasswords): DatabaseUrls => {
  const urls = {
    admin,
    web: urlOf(admin, "web", passwords),
    runner: urlOf(admin, "runner", passwords),
    customers: urlOf(admin, "customers", passwords),
  };

  writeHeldUrls(home, urls);

  return urls;
};

export const writeHeldUrls = (home: string, urls: HeldUrls): void => writeSecret(fileOf(home), `${JSON.stringify(urls, null, 2)}\n`);
