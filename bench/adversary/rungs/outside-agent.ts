/** What an outside agent does with a token, through an honest endpoint. */
import { randomUUID } from "node:crypto";
import type { CommandBody } from "@/lib/engine/proposal";
import { agentCommand, type Outsider } from "@/server/runner/testing/outside";
import { notifyRunner, waitForEnd, type World } from "./world";

const sendCommand = async (world: World, agent: Outsider, run: string, body: CommandBody): Promise<void> => {
  await agentCommand(world.desk, agent, run, body);
  await notifyRunner(world, run);
};

/** The agent starts a run of its session and posts, which waits for a person unless its owner vouched for what it sends. */
export const postAsAgent = async (world: World, agent: Outsider): Promise<void> => {
  const run = randomUUID();
  await world.sql(
    "insert into agent_session_run (workspace_id, session_id, ordinal, run_id, cause, at) values ($1, $2, 0, $3, 'start', now())",
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
  await sendCommand(world, agent, run, startRun);
  await waitForEnd(world, run);
  await sendCommand(world, agent, run, { kind: "step", action: "post", inputs: { text: "a message of the attacker's" } });
  await waitForEnd(world, run);
};
