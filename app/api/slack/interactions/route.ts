import { getSlackInteractions, handleSlackInteraction } from "@/server/web/slack-interaction";

/** Clicks on messages in Slack, signed by Slack. */
export const POST = async (request: Request): Promise<Response> => {
  const interactions = getSlackInteractions();

  return interactions ? handleSlackInteraction(request, interactions) : new Response(null, { status: 404 });
};
