import type { Attack, Report } from "@/bench/adversary/rungs/attack";
import { reportPayments } from "@/bench/adversary/rungs/report-outcome";
import { findRecord } from "@/bench/adversary/rungs/schema";
import {
  notifyRunner,
  sendCommand,
  waitForAnswer,
  startToGate,
  buildDecision,
  completePaidRun,
  readRunRow,
  waitForEnd,
  type World,
} from "@/bench/adversary/rungs/world";

const GATE = '"type":"gate_opened"';

/** No payment may follow. */
const approveDamagedRun = async (world: World, damage: (run: string, gate: number) => Promise<unknown>): Promise<Report> => {
  const run = await startToGate(world);
  const decision = await buildDecision(world, run);
  await damage(run, await findRecord(world, run, GATE));
  await waitForAnswer(world, await sendCommand(world, world.desk.people.reviewer, run, decision));
  await waitForEnd(world, run);

  return reportPayments(world);
};

export const LEDGER_ATTACKS: readonly Attack[] = [
  {
    name: "edit a stored gate",
    why: "Change the role in the stored text of an open gate.",
    run: (world) =>
      approveDamagedRun(world, (run, gate) =>
        world.sql(`update ledger_record set body = replace(body, '"role":"reviewer"', '"role":"admin"') where run_id = $1 and seq = $2`, [
          run,
          gate,
        ]),
      ),
  },
  {
    name: "delete a record",
    why: "Delete a record in the middle of a run.",
    run: (world) =>
      approveDamagedRun(world, (run, gate) => world.sql("delete from ledger_record where run_id = $1 and seq = $2", [run, gate - 1])),
  },
  {
    name: "swap two sealed values",
    why: "Replace a sealed value by that of another run before it is approved.",
    run: async (world) => {
      const other = await startToGate(world);

      return approveDamagedRun(world, (run) =>
        world.sql(
          `update cell c set sealed = o.sealed, wrapped_key = o.wrapped_key, commitment = o.commitment from cell o
           where c.run_id = $1 and o.run_id = $2 and c.path = 'text' and o.path = 'text'`,
          [run, other],
        ),
      );
    },
  },
  {
    name: "lower a stored label",
    why: "Lower the confidentiality label of a stored cell.",
    run: (world) =>
      approveDamagedRun(world, (run) =>
        world.sql(`update cell set label = replace(label, '"secret"', '"public"') where run_id = $1 and path = 'account'`, [run]),
      ),
  },
  {
    name: "move a genuine decision to another run",
    why: "Copy a decision that the control plane signed for one run to the end of another.",
    run: async (world) => {
      const paid = await completePaidRun(world);
      const run = await startToGate(world);
      const row = await readRunRow(world, run);
      const decided = await findRecord(world, paid, '"proposal_kind":"decision"');
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
      await notifyRunner(world, run);
      await waitForEnd(world, run);

      return reportPayments(world, 1);
    },
  },
  {
    name: "clear a freeze",
    why: "Clear frozen of a run whose ledger does not verify.",
    run: async (world) => {
      const report = await approveDamagedRun(world, (run, gate) =>
        world.sql("update ledger_record set signature = reverse(signature) where run_id = $1 and seq = $2", [run, gate]),
      );
      const frozen = await world.sql<{ id: string }>("update run set frozen = null, status = 'running', wake_at = now() returning id");
      for (const { id } of frozen) {
        await notifyRunner(world, id);
        await waitForEnd(world, id);
      }

      return report.succeeded ? report : reportPayments(world);
    },
  },
];
