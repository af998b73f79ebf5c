/** Statements that lists ask again and again: planning one takes longer than carrying it out. */
import { hash } from "node:crypto";
import type pg from "pg";

/**
 * A statement that each connection parses and plans once.
 * @param text one of few: whatever varies from question to question stands in the values
 */
export const prepared = (text: string, values: readonly unknown[]): pg.QueryConfig => ({
  name: hash("sha256", text).slice(0, 32),
  text,
  values: [...values],
});
