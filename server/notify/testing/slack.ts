import { jsonSchema, ownMember, type Json } from "@/lib/json";
import { openReceiver } from "./receiver";

const SLACK_TOKEN = "xoxb-test-token";

type Posted = { readonly method: string; readonly body: Json };

export type SlackStand = {
  readonly origin: string;
  readonly token: string;
  readonly posted: readonly Posted[];
  /** Answers the next messages with this error; null: accepts them. */
  readonly failWith: (error: string | null) => void;
  readonly close: () => Promise<void>;
};

/** Opens a local server with the two methods of Slack's API that are used; it refuses what Slack refuses. */
export const openSlack = async (port = 0): Promise<SlackStand> => {
  const receiver = await openReceiver(port);
  const posted: Posted[] = [];
  let fault: string | null = null;
  const errorFor = (method: string, body: Json, authorization: string | undefined): string | null => {
    if (authorization !== `Bearer ${SLACK_TOKEN}`) return "invalid_auth";
    const blocks = ownMember(body, "blocks");
    if (!Array.isArray(blocks) || blocks.length === 0 || blocks.length > 50) return "invalid_blocks";
    const ids = blocks.flatMap((block) => ownMember(block, "block_id") ?? []);
    if (new Set(ids).size !== ids.length) return "invalid_blocks";
    if (typeof ownMember(body, "channel") !== "string") return "channel_not_found";
    if (method === "chat.update" && !posted.some((_, index) => ownMember(body, "ts") === `1.${index}`)) return "message_not_found";

    return fault;
  };
  receiver.answerWith((response, { path, headers, body: text }) => {
    const method = path.replace("/api/", "");
    const body = jsonSchema.parse(JSON.parse(text));
    const error = errorFor(method, body, headers.authorization);
    if (error === null) posted.push({ method, body });
    const answer =
      error === null ? { ok: true, channel: "D1", ts: ownMember(body, "ts") ?? `1.${posted.length - 1}` } : { ok: false, error };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });

  return {
    origin: receiver.origin,
    token: SLACK_TOKEN,
    posted,
    failWith: (error) => {
      fault = error;
    },
    close: receiver.close,
  };
};
