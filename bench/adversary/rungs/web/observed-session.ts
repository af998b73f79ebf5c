/** A web process's observed sessions, with fresh proofs. */
import { runForgeCommand } from "@/bench/adversary/rungs/schema";
import { sendWorkspaceCommand, waitForAnswer, type World } from "@/bench/adversary/rungs/world";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { openTestSession } from "@/server/testing/authority";

export const demandPasskeys = async (world: World): Promise<void> => {
  const answer = await sendWorkspaceCommand(world, world.desk.people.admin, { kind: "policy_raise" });
  if (answer !== "accepted") throw new Error(`the policy is not raised: ${answer}`);
};

type Asked = Omit<Parameters<typeof runForgeCommand>[1], "session">;

export const sendAs = async (world: World, asked: Asked): Promise<string> => {
  const session = await openTestSession(world.desk.urls.admin, asked.user);

  return waitForAnswer(world, await runForgeCommand(world, { ...asked, session }));
};

export const askAs = (world: World, user: string, body: Asked["body"]): Promise<string> =>
  sendAs(world, { run: getWorkspaceLedgerId(world.desk.workspace), user, body });
