/** What the specs of signing in elsewhere do besides: at the provider, in the installation's database, and with secrets. */
import fs from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import pg from "pg";

/** Asks the database of the installation that keeps its state there, as its runner. */
export const asRunner = async (home: string, sql: string, values: unknown[]): Promise<Record<string, unknown>[]> => {
  const urls = JSON.parse(fs.readFileSync(path.join(home, "database.json"), "utf8")) as { runner: string };
  const client = new pg.Client({ connectionString: urls.runner });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql, values)).rows;
  } finally {
    await client.end();
  }
};

/** Signs in on the provider's own page. */
export const enterAt = async (page: Page, login: string): Promise<void> => {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
};

/** Ways in which a secret could stand in a text. */
export const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("hex"),
  Buffer.from(secret).toString("base64").slice(2, -4),
  Array.from(secret).toReversed().join(""),
];
