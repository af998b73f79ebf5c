import { systemClock } from "@/server/clock";
import { SESSION_LIFE_MS } from "@/server/store/sessions";
import { listInvites, listMembers } from "@/server/store/members";
import { procedure } from "@/server/trpc/init";

/** Who is in the workspace and who was asked to come. No token and no hash of one is in it. */
export const peopleList = procedure("people.read").query(async ({ ctx: { workspaceId } }) => {
  const nowMs = systemClock.now();
  const [members, invites] = await Promise.all([
    listMembers(workspaceId, new Date(nowMs - SESSION_LIFE_MS)),
    listInvites(workspaceId, nowMs),
  ]);

  return { members, invites };
});
