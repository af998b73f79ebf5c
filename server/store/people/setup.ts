import { z } from "zod";
import { getPool } from "@/server/db/client";
import { queryRow } from "@/server/store/sql/rows";

const saidRow = z.object({ said: z.boolean().nullable() });

const ask = async (call: string, values: readonly unknown[]): Promise<boolean> =>
  (await queryRow(getPool(), saidRow, { text: `select ${call} as said`, values }))?.said === true;

export const isSetupTokenOpen = (hash: string, nowMs: number): Promise<boolean> =>
  ask("is_setup_token_open($1, $2)", [hash, new Date(nowMs)]);

export const hasAdmin = (): Promise<boolean> => ask("has_admin()", []);

/** Finds earlier sign-ins from this masked address. @param email in lower case */
export const hasSignedInFrom = (email: string, address: string): Promise<boolean> => ask("has_signed_in_from($1, $2)", [email, address]);
