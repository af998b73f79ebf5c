/**
 * After a database was restored to an older moment it does not know what happened since: a run that goes on from there makes
 * again what was made in the lost time, under new keys, so that no server recognises it. So nothing unfinished goes on by itself.
 */
import { withClient } from "./connect.ts";

/** How `run.frozen` of such a run begins. For what it was frozen before, if it was, follows after `: `. */
export const HELD = "restored";

export type Held = { readonly runs: number; readonly requests: number };

/**
 * Holds every run that is not over, and says no to what was asked and not yet answered, be it of runs, of servers, of the
 * architect or of single tools. Simulations call nobody and go on. To be called before any runner starts. Doing it
 * twice changes nothing.
 * @param refusal what those who asked are told
 */
export const holdUnfinished = (adminUrl: string, refusal: object): Promise<Held> =>
  withClient(adminUrl, async (client) => {
    await client.query("begin");
    const runs = await client.query(
      `update run set frozen = concat_ws(': ', $1::text, frozen)
       where not simulated and status not in ('completed', 'failed', 'cancelled', 'timeout') and not starts_with(coalesce(frozen, ''), $1)`,
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
      // Its answer is sealed by a runner: one that finds a call begun says that it was interrupted, and never begins it again.
      await client.query("update console_call set status = 'working' where status = 'waiting'"),
    ];
    await client.query("commit");

    return { runs: runs.rowCount ?? 0, requests: answered.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) };
  });
