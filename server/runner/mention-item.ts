import { getCommentPath } from "@/lib/engine/decide/comment";
import { findWithheld } from "@/lib/engine/labels/reading";
import { findAside, getKnownValue } from "@/lib/engine/state";
import type { MentionItem } from "@/lib/notifications/message";
import { isAllowed } from "@/lib/roles";
import { linkInto } from "@/lib/workspace-link";
import { sealedCells } from "@/server/reading/sealed-cells";
import { unlessUnproved } from "@/server/runner/identify";
import { RunFrozen } from "@/server/runner/load";
import { getMessageClearance, loadOnce, type MessageDeps, type MessagePolicy } from "@/server/runner/notification-item";
import { findMention } from "@/server/store/approvals/mentions";
import { runHead } from "@/server/store/ledger/run-heads";
import { getNames } from "@/server/store/people/people";
import { findUserPrincipal } from "@/server/store/people/principals";
import { log } from "@/server/log";

type Asked = { readonly workspaceId: string; readonly mentionId: string; readonly userId: string };

/** By the signed record alone: a forged row tells nothing. */
export const describeMentionFor = async (
  deps: MessageDeps,
  { origin, most }: MessagePolicy,
  { workspaceId, mentionId, userId }: Asked,
): Promise<MentionItem | null> => {
  const mention = await findMention(workspaceId, mentionId, userId);
  const user = mention && (await unlessUnproved(findUserPrincipal(deps.authority, workspaceId, userId)));
  if (!mention || !user || typeof user === "string" || !isAllowed(user.role, "run.read")) return null;
  const head = await runHead(workspaceId, mention.runId);
  if (!head || head.frozen !== null) return null;
  const run = await loadOnce(deps, head).catch((error: unknown) => {
    if (!(error instanceof RunFrozen)) throw error;
    log().warn({ run: mention.runId, reason: error.reason }, "a run does not verify, so no mention is sent");

    return null;
  });
  const said = run?.records[mention.seq]?.record.control.find((event) => event.type === "commented");
  if (!run || said?.type !== "commented" || said.mentions?.includes(userId) !== true) return null;
  const cell = findAside(run.state, getCommentPath(said.approval_id)).find(({ seq }) => seq === mention.seq);
  const sealed = await sealedCells(deps.vault, workspaceId, mention.runId, cell ? [cell] : []);
  const reader = { clearance: getMessageClearance(user, most), sealed };
  const text = cell && findWithheld(reader, { label: cell.label, from: [cell] }) === null ? getKnownValue(cell) : null;
  const names = await getNames(workspaceId, [said.user]);
  const place = said.approval_id === undefined ? `/runs/${mention.runId}?comments=true` : `/approvals/${said.approval_id}#comments`;

  return {
    author: names[said.user] ?? "A person",
    graphName: run.published.graph.name,
    text: typeof text === "string" ? text : null,
    url: origin + linkInto(workspaceId, place),
  };
};
