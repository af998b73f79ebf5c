/** Prepared list statements: planning takes longer than executing. */
import { hash } from "node:crypto";
import type pg from "pg";

/** Prepares a statement once per connection. @param text one of few; variation belongs in the values */
export const prepareQuery = (text: string, values: readonly unknown[]): pg.QueryConfig => ({
  name: hash("sha256", text).slice(0, 32),
  text,
  values: [...values],
});
