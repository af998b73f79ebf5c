import { randomUUID } from "node:crypto";
import { graphSchema } from "@/lib/graph/document";
import { computeApprovalChallenge } from "@/lib/engine/approvals/passkey";
import type { Authenticator } from "@/lib/engine/testing/authenticator";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { asksPerson } from "@/lib/graph/kind-of";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import { recordAttempts } from "@/server/runner/attempts";
import { command, publishAs, query, startRun, type Desk } from "@/server/runner/testing/desk";
import { decisionFor, drive, readRun } from "@/server/runner/testing/run";
import { outcomeSchema, type CommandOutcome } from "@/server/store/runs/commands";

/** @returns the version's hash */
export const publishDemanding = (desk: Desk): Promise<string> => {
  const { graph } = desk.published;
  const nodes = graph.nodes.map((node) => (asksPerson(node) ? { ...node, config: { ...node.config, passkey: true } } : node));
  const published = { ...desk.published, graph: graphSchema.parse({ ...graph, nodes }) };

  return publishAs(desk, published, desk.people.builder);
};

export const sendOwn = async (desk: Desk, body: WorkspaceCommand, userId: string): Promise<CommandOutcome> => {
  const ledger = getWorkspaceLedgerId(desk.workspace);
  const id = await command(desk, ledger, userId, body);
  await recordAttempts(desk.deps, desk.workspace, ledger);
  const [row] = await query<{ outcome: unknown }>(desk.urls.admin, "select outcome from command where id = $1", [id]);

  return outcomeSchema.parse(row?.outcome);
};

const allowPasskey = (desk: Desk, user: string): Promise<CommandOutcome> =>
  sendOwn(desk, { kind: "passkey_allow", allowance: randomUUID(), user }, desk.people.admin);

export const registerAllowed = async (desk: Desk, { passkey }: Authenticator, user = desk.people.reviewer): Promise<CommandOutcome> => {
  await allowPasskey(desk, user);

  return sendOwn(desk, { kind: "passkey_register", passkey, label: "Laptop" }, user);
};

export const atApproval = async (desk: Desk, version: string) => {
  const run = await startRun(desk, "honest", "02-outage-credit.txt", version);
  await drive(desk, run);
  const plain = decisionFor(desk, (await readRun(desk, run)).state, "approve");
  const { kind: _kind, ...covered } = plain;
  const challenge = computeApprovalChallenge({ v: 1, workspace: desk.workspace, run, ...covered, user: desk.people.reviewer });

  return { run, plain, signedBy: async (authenticator: Authenticator) => ({ ...plain, assertion: await authenticator.assert(challenge) }) };
};
