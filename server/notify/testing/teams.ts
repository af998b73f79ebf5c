import { z } from "zod";
import { jsonSchema } from "@/lib/json";
import { openReceiver, type Receiver } from "./receiver";

const MOST_BYTES = 28_000;

const cardSchema = z.object({
  type: z.literal("message"),
  attachments: z.tuple([
    z.object({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      content: z.object({ type: z.literal("AdaptiveCard"), version: z.string(), body: z.array(jsonSchema), actions: z.array(jsonSchema) }),
    }),
  ]),
});

/** Answers as a Teams workflow: 202, or 400 without a card. */
export const openTeams = async (): Promise<Receiver> => {
  const receiver = await openReceiver();
  receiver.answerWith((response, { headers, body }) => {
    const isGood = headers["content-type"] === "application/json" && Buffer.byteLength(body) <= MOST_BYTES;
    response.writeHead(isGood && cardSchema.safeParse(JSON.parse(body)).success ? 202 : 400).end();
  });

  return receiver;
};
