/** A writer of the database gives an outside agent more than its owner did. */
import { randomUUID } from "node:crypto";
import type { Attack } from "@/bench/adversary/rungs/attack";
import { came } from "@/bench/adversary/rungs/came";
import { announce, atRest, settled, type World } from "@/bench/adversary/rungs/world";
import type { CommandBody } from "@/lib/engine/proposal";
import { agentCommand, outsider, type Outsider } from "@/server/runner/testing/outside";

const ask = async (world: World, agent: Outsider, run: string, body: CommandBody): Promise<void> => {
  await agentCommand(world.desk, agent, run, body);
  await announce(world, run);
};

/** The agent starts a run of its session and posts, which waits for a person unless its owner vouched for what it sends. */
const posts = async (world: World, agent: Outsider): Promise<void> => {
  const run = randomUUID();
  await world.sql(
    "insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at) values ($1, $2, 0, $3, 'start', now())",
    [world.desk.workspace, agent.session, run],
  );
  const start = { kind: "start", graph_hash: agent.graphHash, goal: "", constraints: [], inputs: {}, model: "scripted:honest" } as const;
  await ask(world, agent, run, start);
  await atRest(world, run);
  await ask(world, agent, run, { kind: "step", action: "post", inputs: { text: "a message of the attacker's" } });
  await settled(world, run, 4_000);
};

export const OUTSIDE_ATTACKS: readonly Attack[] = [
  {
    name: "a token that nobody made",
    why: "An inserted token of an admin's, vouched for, drives a graph whose write would wait for a person.",
    run: async (world) => {
      const { workspace, people } = world.desk;
      const [token, session] = [randomUUID(), randomUUID()];
      const { hash } = world.versions.kiosk;
      await world.sql(
        `insert into agent_token (workspace_id, id, name, hash, hint, audience, scopes, all_graphs, integrity, owner_id, created_at, expires_at)
         values ($1, $2, 'Attacker', $3, 'cs_', 'http://127.0.0.1', '{run.read,run.drive}', true, 'trusted', $4, now(), now() + interval '1 day')`,
        [workspace, token, token, people.admin],
      );
      await world.sql(
        `insert into agent_session (workspace_id, id, token_id, graph_id, created_at, last_used_at, expires_at)
         select $1, $2, $3, graph_id, now(), now(), now() + interval '1 day' from graph_version where workspace_id = $1 and hash = $4`,
        [workspace, session, token, hash],
      );
      await posts(world, { token, session, graphHash: hash });

      return came(world, world.paid() > 0);
    },
  },
  {
    name: "a token that is trusted all at once",
    why: "The row of an untrusted token says that an admin vouches for what it sends.",
    run: async (world) => {
      const agent = await outsider(world.desk, world.versions.kiosk.hash);
      await world.sql("update agent_token set integrity = 'trusted', owner_id = $2 where id = $1", [agent.token, world.desk.people.admin]);
      await posts(world, agent);

      return came(world, world.paid() > 0);
    },
  },
];
