import type { Attack } from "@/bench/adversary/rungs/attack";
import { postAsAgent } from "@/bench/adversary/rungs/outside-agent";
import { reportOutcome } from "@/bench/adversary/rungs/report-outcome";
import { mintSession } from "@/bench/adversary/rungs/schema";
import type { World } from "@/bench/adversary/rungs/world";
import { outsider, type Outsider } from "@/server/runner/testing/outside";
import { generateSessionSeed } from "@/server/security/session-key";
import { openTestSession } from "@/server/testing/authority";
import { queryOn } from "@/server/testing/connections";

const actedAs = async ({ desk }: World, { token }: Outsider): Promise<boolean> =>
  (
    await queryOn(
      desk.urls.admin,
      "select 1 from ledger_record where workspace_id = $1 and (body::json -> 'principal' ->> 'token') = $2 limit 1",
      [desk.workspace, token],
    )
  ).length > 0;

const honestAgent = (world: World): Promise<Outsider> =>
  outsider(world.desk, world.versions.kiosk.hash, { scopes: ["run.read", "run.drive"] });

export const AGENT_ATTACKS: readonly Attack[] = [
  {
    name: "asks in the name of a token it has not seen",
    why: "Start a run and post as an agent, by its token's id and session, under a key of the attacker's.",
    run: async (world) => {
      const agent = await honestAgent(world);
      await postAsAgent(world, { ...agent, key: generateSessionSeed() });

      return reportOutcome(world, await actedAs(world, agent));
    },
  },
  {
    name: "tries a token out in its owner's name",
    why: "Drive an agent's run by hand, through a made-up session of the token's owner and through another person's open one.",
    run: async (world) => {
      const agent = await honestAgent(world);
      const { starter, admin } = world.desk.people;
      const made = await mintSession(world, starter).catch(() => ({ id: agent.session, key: generateSessionSeed() }));
      const theirs = await openTestSession(world.desk.urls.admin, admin);
      await postAsAgent(world, agent, { type: "owner", id: starter, session: made });
      await postAsAgent(world, agent, { type: "owner", id: admin, session: theirs });

      return reportOutcome(world, await actedAs(world, agent));
    },
  },
];
