/** Typed SQL: one schema per row is its type, its check and its select list. Prisma does the rest: docs/decisions/store.md. */
import { hash } from "node:crypto";
import type pg from "pg";
import { z } from "zod";
import type { Transaction } from "@/server/db/client";

/** A pool, a connection, or a transaction of Prisma's. */
export type SqlClient = pg.Pool | pg.ClientBase | Transaction;

/** `name`: prepared once per connection, outside Prisma. */
export type Statement = { readonly name?: string; readonly text: string; readonly values?: readonly unknown[] };

/** Names a statement of few texts, which prepares it: planning takes longer than executing. */
export const prepareQuery = ({ text, values = [] }: Statement): Statement => ({ name: hash("sha256", text).slice(0, 32), text, values });

/** Hides a parameter from the planner, which otherwise plans each execution: a plan for few rows looks cheaper than the generic one. */
export const hideValue = (type: "uuid[]" | "text[]" | "double precision[]" | "uuid" | "int", place: number): string =>
  `(select $${place}::${type})`;

const toSnakeCase = (key: string): string => key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);

/** The row's select list: `runId` is the column `run_id`, unless it has an expression. @param from with a dot: `r.` */
export const columnsOf = (row: z.ZodObject, expressions: Readonly<Record<string, string>> = {}, from = ""): string =>
  Object.keys(row.shape)
    .map((key) => `${expressions[key] ?? `${from}"${toSnakeCase(key)}"`} as "${key}"`)
    .join(", ");

const toConfig = ({ name, text, values = [] }: Statement): pg.QueryConfig => ({ ...(name ? { name } : {}), text, values: [...values] });

/** Returns unchecked rows. */
export const sendQuery = async (client: SqlClient, statement: Statement): Promise<unknown[]> => {
  if ("$queryRawUnsafe" in client) return client.$queryRawUnsafe<unknown[]>(statement.text, ...(statement.values ?? []));

  return (await client.query<Record<string, unknown>>(toConfig(statement))).rows;
};

/** @throws ZodError for a row that differs */
export const queryRows = async <Row>(client: SqlClient, row: z.ZodType<Row>, statement: Statement): Promise<Row[]> =>
  z.array(row).parse(await sendQuery(client, statement));

/** The first row, or null. @throws ZodError for a row that differs */
export const queryRow = async <Row>(client: SqlClient, row: z.ZodType<Row>, statement: Statement): Promise<Row | null> =>
  (await queryRows(client, row, statement))[0] ?? null;

/** Returns the number of changed rows. */
export const execute = async (client: SqlClient, statement: Statement): Promise<number> => {
  if ("$executeRawUnsafe" in client) return client.$executeRawUnsafe(statement.text, ...(statement.values ?? []));

  return (await client.query(toConfig(statement))).rowCount ?? 0;
};
