import { z } from "zod";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { systemClock } from "@/server/clock";
import { listUnreadMentions, markMentionsRead } from "@/server/store/approvals/mentions";
import { getNames } from "@/server/store/people/people";
import { getGraphNames } from "@/server/store/runs/runs";
import { createProcedure, router } from "@/server/trpc/init";
import { commentOnRun } from "@/server/trpc/run-commands";
import { readAuthority } from "@/server/web/authority";
import { replayRun } from "@/server/web/open-run";
import { listComments } from "@/server/web/read-comments";
import { commentFields, toCommentBody } from "./input";

const commentsOfRun = createProcedure("run.read")
  .input(z.strictObject({ runId: z.uuid() }))
  .query(async ({ ctx: { workspaceId, role }, input: { runId } }) => {
    const { sealed, ...run } = await replayRun(workspaceId, runId, getShownTo(role));
    const comments = listComments(run, { clearance: getShownTo(role), sealed });
    const people = await getNames(
      workspaceId,
      comments.map(({ user }) => user),
    );

    return { comments, people };
  });

const commentsAdd = createProcedure("approval.comment")
  .input(z.strictObject({ runId: z.uuid(), ...commentFields }))
  .mutation(({ ctx, input: { runId, ...fields } }) => commentOnRun(ctx, runId, toCommentBody(fields)));

/** Lists whom a comment can mention, by the signed records. */
const commentsPeople = createProcedure("approval.comment").query(async ({ ctx: { workspaceId, user } }) => {
  const members = listMembersInForce(await readAuthority(workspaceId));
  const ids = [...members].flatMap(([id, { disabled }]) => (disabled || id === user.id ? [] : [id]));
  const names = await getNames(workspaceId, ids);

  return { people: ids.flatMap((id) => (names[id] ? [{ id, name: names[id] }] : [])).toSorted((a, b) => a.name.localeCompare(b.name)) };
});

const commentsUnread = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const unread = await listUnreadMentions(workspaceId, user.id);
  const [people, graphs] = await Promise.all([
    getNames(
      workspaceId,
      unread.map(({ byId }) => byId),
    ),
    getGraphNames(
      workspaceId,
      unread.map(({ runId }) => runId),
    ),
  ]);

  return {
    mentions: unread.map(({ id, runId, approvalId, byId, createdAt }) => ({
      id,
      runId,
      approvalId,
      author: people[byId] ?? "",
      graphName: graphs[runId] ?? "",
      createdAt,
    })),
  };
});

const commentsMarkRead = createProcedure("settings.own")
  .input(z.strictObject({ runId: z.uuid(), approvalId: z.uuid().nullable() }))
  .mutation(async ({ ctx: { workspaceId, user }, input }) => {
    await markMentionsRead(workspaceId, user.id, input, systemClock.now());

    return {};
  });

export const commentsRouter = router({
  add: commentsAdd,
  markRead: commentsMarkRead,
  ofRun: commentsOfRun,
  people: commentsPeople,
  unread: commentsUnread,
});
