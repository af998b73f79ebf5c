/** The first rows of an installation. */
import { pool } from "@/server/db/client";

/** Whether the link with this hash could be used now. */
export const isSetupTokenOpen = async (hash: string, nowMs: number): Promise<boolean> => {
  const { rows } = await pool().query<{ open: boolean }>("select is_setup_token_open($1, $2) as open", [hash, new Date(nowMs)]);

  return rows[0]?.open === true;
};

/** Whether anybody can administer this installation, the demo apart. */
export const hasAdmin = async (): Promise<boolean> => {
  const { rows } = await pool().query<{ known: boolean }>("select has_admin() as known");

  return rows[0]?.known === true;
};
