/** A writer of the database changes a ledger that waits for a decision, without any key. */
import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { cameOfPaying } from "@/bench/adversary/rungs/came";
import { openTables, seqWith } from "@/bench/adversary/rungs/schema";
import { announce, ask, answerTo, atGate, decisionOf, paidRun, rowOf, settled, type World } from "@/bench/adversary/rungs/world";

const GATE = '"type":"gate_opened"';

/** The damage is done while an approval is on its way: what comes of it must not be paid for. */
const damaged = async (world: World, damage: (run: string, gate: number) => Promise<unknown>): Promise<Report> => {
  const run = await atGate(world);
  const decision = await decisionOf(world, run);
  await openTables(world);
  await damage(run, await seqWith(world, run, GATE));
  await answerTo(world, await ask(world, world.desk.people.reviewer, run, decision));
  await settled(world, run);

  return cameOfPaying(world);
};

export const LEDGER_ATTACKS: readonly Attack[] = [
  {
    name: "a gate that asks somebody else",
    why: "The stored text of the gate names another role.",
    run: (world) =>
      damaged(world, (run, gate) =>
        world.sql(`update ledger_record set body = replace(body, '"role":"reviewer"', '"role":"admin"') where run_id = $1 and seq = $2`, [
          run,
          gate,
        ]),
      ),
  },
  {
    name: "a record that is gone",
    why: "A record in the middle of the run is deleted.",
    run: (world) => damaged(world, (run, gate) => world.sql("delete from ledger_record where run_id = $1 and seq = $2", [run, gate - 1])),
  },
  {
    name: "another value where people looked",
    why: "The sealed amount of another run takes the place of the one that was approved.",
    run: async (world) => {
      const other = await atGate(world);

      return damaged(world, (run) =>
        world.sql(
          `update cell c set sealed = o.sealed, wrapped_key = o.wrapped_key, commitment = o.commitment from cell o
           where c.run_id = $1 and o.run_id = $2 and c.path = 'text' and o.path = 'text'`,
          [run, other],
        ),
      );
    },
  },
  {
    name: "a label that says trusted",
    why: "The label of a value is lowered, so that a rule lets it pass.",
    run: (world) =>
      damaged(world, (run) =>
        world.sql(`update cell set label = replace(label, '"secret"', '"public"') where run_id = $1 and path = 'account'`, [run]),
      ),
  },
  {
    name: "a genuine decision of another run",
    why: "A record that the control plane signed for one run is moved to the end of another.",
    run: async (world) => {
      const paid = await paidRun(world);
      const run = await atGate(world);
      const row = await rowOf(world, run);
      const decided = await seqWith(world, paid, '"proposal_kind":"decision"');
      await world.sql(
        `insert into ledger_record (workspace_id, run_id, seq, body, digest, kid, signature)
         select workspace_id, $2, $3, body, digest, kid, signature from ledger_record where run_id = $1 and seq = $4`,
        [paid, run, row?.version ?? 0, decided],
      );
      await world.sql(
        `update run set version = version + 1, status = 'running', wake_at = now(),
           head = (select digest from ledger_record where run_id = $1 order by seq desc limit 1) where id = $1`,
        [run],
      );
      await announce(world, run);
      await settled(world, run);

      return cameOfPaying(world, 1);
    },
  },
  {
    name: "a frozen run thawed",
    why: "A run whose ledger does not verify is frozen; its row says that it is not.",
    run: async (world) => {
      const report = await damaged(world, (run, gate) =>
        world.sql("update ledger_record set signature = reverse(signature) where run_id = $1 and seq = $2", [run, gate]),
      );
      const frozen = await world.sql<{ id: string }>("update run set frozen = null, status = 'running', wake_at = now() returning id");
      for (const { id } of frozen) {
        await announce(world, id);
        await settled(world, id);
      }

      return report.succeeded ? report : cameOfPaying(world);
    },
  },
];
