/** After a restore, continued runs would repeat calls under new idempotency keys. */
import { withClient } from "./connect.ts";

/** An earlier reason follows. */
export const HELD = "restored";

export type Held = { readonly runs: number; readonly requests: number };

/**
 * Holds unfinished runs, except simulations, and refuses pending requests. Call before runners start. Idempotent.
 * @param refusal the answer
 */
export const holdUnfinished = (adminUrl: string, refusal: object): Promise<Held> =>
  withClient(adminUrl, async (client) => {
    await client.query("begin");
    const runs = await client.query(
      `update run set frozen = concat_ws(': ', $1::text, frozen)
       where not simulated and status not in ('completed', 'failed', 'cancelled', 'timeout', 'budget_exceeded') and not starts_with(coalesce(frozen, ''), $1)`,
      [HELD],
    );
    const answered = [
      await client.query(`update command set status = 'refused', outcome = $1::jsonb, decided_at = now() where status = 'pending'`, [
        JSON.stringify({ seq: -1, refusal }),
      ]),
      await client.query(
        `update registry_command set status = 'refused', outcome = $1::jsonb, decided_at = now() where status = 'pending'`,
        [JSON.stringify({ ok: false, code: "conflict", message: "The database was restored to an older moment: ask again." })],
      ),
      await client.query(
        `update architect_job set status = 'cancelled', code = 'cancelled', state = null, ended_at = now() where status in ('queued', 'working')`,
      ),
      // Begun calls are reported interrupted and never restarted.
      await client.query("update console_call set status = 'working' where status = 'waiting'"),
    ];
    await client.query("commit");

    return { runs: runs.rowCount ?? 0, requests: answered.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) };
  });
