import { randomUUID } from "node:crypto";
import type { CommandBody } from "@/lib/engine/proposal";
import { runAgentCommand, type Outsider } from "@/server/runner/testing/outside";
import type { AgentSigner } from "@/server/store/runs/command-envelope";
import { notifyRunner, waitForEnd, type World } from "./world";

const sendCommand = async (world: World, agent: Outsider, run: string, body: CommandBody, signer: AgentSigner): Promise<void> => {
  await runAgentCommand(world.desk, agent, run, body, signer);
  await notifyRunner(world, run);
};

/** Posts, which needs approval unless the owner vouched for the input. @param signer default: the agent's key */
export const postAsAgent = async (
  world: World,
  agent: Outsider,
  signer: AgentSigner = { type: "token", key: agent.key },
): Promise<void> => {
  const run = randomUUID();
  await world.sql(
    "insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at) select $1, $2, count(*), $3, 'start', now() from agent_session_run where session_id = $2",
    [world.desk.workspace, agent.session, run],
  );
  const startRun: CommandBody = {
    kind: "start",
    graph_hash: agent.graphHash,
    goal: "",
    constraints: [],
    inputs: {},
    model: "scripted:honest",
  };
  await sendCommand(world, agent, run, startRun, signer);
  await waitForEnd(world, run);
  await sendCommand(world, agent, run, { kind: "step", action: "post", inputs: { text: "a message of the attacker's" } }, signer);
  await waitForEnd(world, run);
};
