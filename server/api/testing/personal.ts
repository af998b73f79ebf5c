import { API_PATH } from "@/lib/api/routes";
import { PERSONAL_SCOPES } from "@/lib/engine/principal";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import type { WorkspaceCommand } from "@/lib/workspace-command";
import type { Stand } from "@/server/outside/testing/fixture";
import { readRun } from "@/server/runner/testing/run";
import { openTestSession } from "@/server/testing/authority";
import { submitCommand } from "@/server/web/submit-command";

export type Seen = {
  readonly viewDigest: string;
  readonly transitionDigest: string;
  readonly nonce: string;
  readonly status: string;
  readonly canDecide: boolean;
  readonly whyNot: string | null;
  readonly passkey: { readonly isRequired: boolean; readonly challenge: string } | null;
};

export type Answer = { readonly status: number; readonly code?: string; readonly refusal?: string | null };

export const decisionOf = ({ viewDigest, transitionDigest, nonce }: Seen, change: object = {}) => ({
  decision: "approve",
  viewDigest,
  transitionDigest,
  nonce,
  ...change,
});

export const createRequests = (stand: Stand) => {
  const { urls, workspace: workspaceId, people } = stand.desk;
  const send = (token: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${stand.origin}${API_PATH}${path}`, {
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const read = async <T>(token: string, path: string): Promise<T> => (await (await send(token, path)).json()) as T;

  const waitFor = async (account: string, runId: string) => {
    const { waitingFor } = await read<{ waitingFor: { approvalId: string }[] }>(account, `/runs/${runId}?wait=60`);

    return { runId, approvalId: waitingFor[0]?.approvalId ?? "" };
  };

  return {
    send,
    read,
    waitFor,
    mint: (ownerId = people.reviewer, change: Parameters<Stand["mint"]>[0] = {}) =>
      stand.mint({ ownerId, scopes: [...PERSONAL_SCOPES], ...change }),
    administer: async (body: WorkspaceCommand, by = people.admin): Promise<string> =>
      submitCommand({
        workspaceId,
        author: { type: "user", id: by, session: await openTestSession(urls.admin, by) },
        runId: getWorkspaceLedgerId(workspaceId),
        body,
      }).then(
        () => "accepted",
        (error: { refusal?: string }) => error.refusal ?? "failed",
      ),
    waiting: async (account: string, graphId: string, inputs: object = { mail_file: "04-downgrade.txt" }) => {
      const body = { graphId, goal: "Answer the mail.", inputs, model: "scripted:honest" };
      const { runId } = (await (await send(account, "/runs", body)).json()) as { runId: string };

      return waitFor(account, runId);
    },
    see: (token: string, approvalId: string) => read<Seen>(token, `/approvals/${approvalId}`),
    decide: async (token: string, approvalId: string, decision: object, headers: Record<string, string> = {}): Promise<Answer> => {
      const response = await send(token, `/approvals/${approvalId}/decision`, decision, headers);
      const { refusal, code } = (await response.json()) as Omit<Answer, "status">;

      return { status: response.status, ...(response.ok ? {} : { refusal, code }) };
    },
    decisionsOf: async (runId: string) =>
      (await readRun(stand.demo.of("support-desk"), runId)).records.flatMap(({ record }) =>
        record.control.flatMap((event) => (event.type === "decision_made" ? [{ record, event }] : [])),
      ),
  };
};
