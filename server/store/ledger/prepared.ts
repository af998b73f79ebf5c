import { hash } from "node:crypto";
import type pg from "pg";

/** Prepares a statement: planning takes longer than executing. @param text one of few */
export const prepareQuery = (text: string, values: readonly unknown[]): pg.QueryConfig => ({
  name: hash("sha256", text).slice(0, 32),
  text,
  values: [...values],
});
