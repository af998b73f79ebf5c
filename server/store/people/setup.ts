import { getPool } from "@/server/db/client";

/** Returns whether the link is usable now. */
export const isSetupTokenOpen = async (hash: string, nowMs: number): Promise<boolean> => {
  const { rows } = await getPool().query<{ open: boolean }>("select is_setup_token_open($1, $2) as open", [hash, new Date(nowMs)]);

  return rows[0]?.open === true;
};

/** Returns whether there is an admin, outside demos. */
export const hasAdmin = async (): Promise<boolean> => {
  const { rows } = await getPool().query<{ known: boolean }>("select has_admin() as known");

  return rows[0]?.known === true;
};
