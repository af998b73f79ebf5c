/** Fills long lists with runs that are never opened. */
import { randomUUID } from "node:crypto";
import type { SeedPlace } from "@/bench/runs/seed";
import { queryOn } from "@/server/testing/connections";

const GRAPHS = 20;

const RUNS = `insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, version, head, refusals, created_at, updated_at)
  select $1, gen_random_uuid(), ($2::uuid[])[1 + n % ${GRAPHS}], repeat('a', 64), $3,
    (array['completed', 'completed', 'completed', 'failed', 'cancelled'])[1 + n % 5], 12, repeat('b', 64), n % 3,
    now() - make_interval(mins => n), now() - make_interval(mins => n)
  from generate_series(1, $4::int) as n`;

const WAITING = `with made as (
    insert into run (workspace_id, id, graph_id, graph_hash, initiator_id, status, current_node, version, head, created_at, updated_at, wake_at)
    select $1, gen_random_uuid(), ($2::uuid[])[1 + n % ${GRAPHS}], repeat('a', 64), $3, 'waiting', 'ask', 6, repeat('b', 64),
      now() - make_interval(mins => 3 * n), now(), now() + interval '1 day'
    from generate_series(1, $4::int) as n returning id, created_at)
  insert into approval (workspace_id, id, run_id, node, reason, prompt, role, transition_digest, status, opened_at, expires_at, authority, agent)
  select $1, gen_random_uuid(), id, 'ask', 'approval_node', 'Is this what the customer asks for?', 'reviewer', repeat('c', 64), 'open',
    created_at, created_at + interval '7 days', 'write', 'parser' from made`;

/** @returns one of the runs' graphs */
export const fillLists = async ({ urls: { admin }, builder }: SeedPlace, runs: number, waiting: number): Promise<string> => {
  const graphs = Array.from({ length: GRAPHS }, () => randomUUID());
  for (const [index, id] of graphs.entries()) {
    await queryOn(admin, "insert into graph (workspace_id, id, name) values ($1, $2, $3)", [builder.workspace, id, `Graph ${index}`]);
  }
  await queryOn(admin, RUNS, [builder.workspace, graphs, builder.id, runs]);
  await queryOn(admin, WAITING, [builder.workspace, graphs, builder.id, waiting]);
  await queryOn(admin, "analyze run, approval");

  return graphs[0] ?? "";
};
