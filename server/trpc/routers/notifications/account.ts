import { AppError } from "@/lib/errors";
import { z } from "zod";
import { accountSchema, codeSchema, teamsAccountSchema } from "@/lib/notifications/account";
import { CHANNEL_NAMES } from "@/lib/notifications/setting";
import { isTeamsAddress } from "@/lib/notifications/teams-address";
import { systemClock } from "@/server/clock";
import { getWebhookPolicy } from "@/server/notify/policy";
import { createRateLimiter } from "@/server/security/rate-limit";
import { getAccount, proposeAccount } from "@/server/store/notifications/accounts";
import { isChannelSetUp } from "@/server/store/health";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";
import { parseAcceptedUrl } from "@/server/trpc/routers/webhooks/input";
import { channelInput } from "./channel-input";

const parseTeamsAddress = (text: string): string => {
  const url = parseAcceptedUrl(text);
  if (isTeamsAddress(url, getWebhookPolicy().allowOrigins)) return url;

  throw new AppError("egress_blocked", { message: "This is no address of a Teams workflow. Copy it from the workflow's first step." });
};

/** By person: codes reach accounts of others too. */
const codesSent = createRateLimiter({ limit: 5, windowMs: 60 * 60_000 }, systemClock);
const codesTried = createRateLimiter({ limit: 20, windowMs: 60 * 60_000 }, systemClock);

export const notificationsSendCode = createProcedure("settings.own")
  .input(
    z.discriminatedUnion("channel", [
      z.strictObject({ channel: z.literal("slack"), account: accountSchema }),
      z.strictObject({ channel: z.literal("teams"), account: teamsAccountSchema }),
    ]),
  )
  .mutation(async ({ ctx: { workspaceId, user }, input: { channel, account: named } }) => {
    const account = channel === "teams" ? parseTeamsAddress(named) : named;
    if (!(await isChannelSetUp(channel))) {
      throw new AppError("conflict", { message: `${CHANNEL_NAMES[channel]} can't be linked. Ask the operator.` });
    }
    if (!codesSent.take(user.id)) throw new AppError("rate_limited");
    if (!(await proposeAccount({ workspaceId, userId: user.id, channel }, account, systemClock.id()))) {
      throw new AppError("conflict", { message: "An account is already linked. Unlink it first." });
    }

    return {};
  });

export const notificationsLink = createProcedure("settings.own", { fresh: true })
  .input(channelInput.extend({ code: codeSchema }))
  .mutation(async ({ ctx, input: { channel, code } }) => {
    if (!codesTried.take(ctx.user.id)) throw new AppError("rate_limited");
    const named = await getAccount({ workspaceId: ctx.workspaceId, userId: ctx.user.id, channel });
    if (!named) throw new AppError("not_found");

    return submitToWorkspace(ctx, { kind: "account_link", channel, account: named.account, code });
  });

export const notificationsUnlink = createProcedure("settings.own")
  .input(channelInput)
  .mutation(({ ctx, input: { channel } }) => submitToWorkspace(ctx, { kind: "account_unlink", channel }));
