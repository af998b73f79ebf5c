/** A click in Slack. Its button carries the link that the runner signed for one person, whose linked account must be the clicker's. */
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { LINK_ACTIONS, type ReplyAction } from "@/lib/notifications/reply-link";
import { getSnoozeEnd } from "@/lib/notifications/snooze-times";
import { getTextBlock, TEXT_ACTION } from "@/lib/notifications/slack";
import { AppError } from "@/lib/errors";
import { systemClock, type Clock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { log } from "@/server/log";
import { readBody } from "@/server/security/request-guard";
import { setAside } from "@/server/store/approvals/asides";
import { getAccount, queueUpdate } from "@/server/store/notifications/accounts";
import { openReply, type OpenedReply } from "./open-reply";
import { sendReply } from "./send-reply";
import { createSlackVerifier, type SlackVerifier } from "./slack-signature";

const payloadSchema = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string().max(40) }),
  actions: z
    .array(z.object({ action_id: z.string().max(40), block_id: z.string().max(40), value: z.string().max(300).optional() }))
    .min(1)
    .max(1),
  state: z
    .object({ values: z.record(z.string(), z.record(z.string(), z.looseObject({ value: z.string().max(3_000).nullish() }))) })
    .optional(),
});
type Payload = z.infer<typeof payloadSchema>;

const CHAT_ACTIONS = [...LINK_ACTIONS, "approve"] as const;
type ChatAction = (typeof CHAT_ACTIONS)[number];

const MOST_WAIT_MS = 2_500;

const answer = (status: number): Response => new Response(null, { status, headers: { "cache-control": "no-store" } });

const parsePayload = (rawBody: string): Payload | null => {
  try {
    return payloadSchema.safeParse(JSON.parse(new URLSearchParams(rawBody).get("payload") ?? "null")).data ?? null;
  } catch {
    return null;
  }
};

/** Rejecting takes one tap; changes and comments need words. */
const NO_REASON = "No reason given.";

const textOf = ({ state, actions: [action] }: Payload, kind: ReplyAction | "approve"): string => {
  const given = state?.values[getTextBlock(action?.block_id ?? "")]?.[TEXT_ACTION]?.value?.trim().slice(0, 2_000) ?? "";

  return given === "" && kind === "reject" ? NO_REASON : given;
};

const snooze = async ({ link, approval }: OpenedReply, nowMs: number): Promise<number> => {
  const aside = { approvalIds: [approval.id], kind: "snoozed", untilMs: getSnoozeEnd("4h", nowMs), reason: null, nowMs } as const;
  const snoozed = await setAside({ workspaceId: link.workspace, userId: link.user }, aside);

  return snoozed.length === 0 ? 409 : 200;
};

const act = async (
  reply: OpenedReply,
  kind: ChatAction,
  payload: Payload,
  { token, nowMs }: { token: string; nowMs: number },
): Promise<number> => {
  if (kind === "snooze") return snooze(reply, nowMs);
  const text = textOf(payload, kind);
  if (text === "" && kind !== "approve") return 400;
  try {
    await sendReply(reply, { token, action: kind, text });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log().info({ approval: reply.approval.id, code: error.code }, "a click in Slack was not carried out");
    if (error.code === "runner_silent") return 503;
  }
  const { link, approval } = reply;
  // The message then says what came of it.
  await queueUpdate({ workspaceId: link.workspace, userId: link.user, channel: "slack" }, approval.id, systemClock.id());

  return 200;
};

export type SlackInteractions = { readonly verify: SlackVerifier; readonly clock: Pick<Clock, "now"> };

/** Handles a click. Other statuses than 200 show a warning at the message. */
export const handleSlackInteraction = async (request: Request, { verify, clock }: SlackInteractions): Promise<Response> => {
  const rawBody = await readBody(request.body).catch(() => null);
  const nowMs = clock.now();
  if (rawBody === null || !verify(request.headers, rawBody, nowMs)) return answer(401);
  const payload = parsePayload(rawBody);
  const [action] = payload?.actions ?? [];
  const kind = CHAT_ACTIONS.find((each) => each === action?.action_id);
  if (!payload || !action || !kind) return answer(200);
  const token = action.value ?? "";
  const reply = await openReply(token);
  if (reply?.link.channel !== "slack") return answer(403);
  if ((kind === "approve") !== (reply.link.approves === true)) return answer(200);
  const account = await getAccount({ workspaceId: reply.link.workspace, userId: reply.link.user, channel: "slack" });
  if (!account?.confirmedAt || account.account !== payload.user.id) return answer(403);

  // Slack waits three seconds; the message is changed later anyway.
  return answer(await Promise.race([act(reply, kind, payload, { token, nowMs }), setTimeout(MOST_WAIT_MS, 200, { ref: false })]));
};

let own: SlackInteractions | null = null;

/** Returns null where the operator set no signing secret. */
export const getSlackInteractions = (): SlackInteractions | null => {
  const { COUNTERSIGN_SLACK_SIGNING_SECRET: secret } = readEnv();
  if (secret === undefined) return null;

  return (own ??= { verify: createSlackVerifier(secret), clock: systemClock });
};
