import { z } from "zod";
import { runStatusSchema } from "@/lib/engine/event";
import type { Message, Surroundings } from "./hub";

const NAME = "countersign.live";

const messageSchema: z.ZodType<Message> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("want"), tab: z.string().max(64), runIds: z.array(z.uuid()).max(50) }),
  z.strictObject({ type: z.literal("who") }),
  z.strictObject({
    type: z.literal("moved"),
    moved: z.strictObject({
      runId: z.uuid(),
      status: runStatusSchema,
      version: z.number().int().min(0),
      frozen: z.string().max(1_000).nullable(),
    }),
  }),
  z.strictObject({ type: z.literal("link"), state: z.enum(["connecting", "open", "broken"]) }),
]);

const onLeave = (leave: () => void): void => window.addEventListener("pagehide", leave, { once: true });

/** A single tab leads without a channel. */
const alone = (): Surroundings => ({
  tab: "alone",
  elect: (lead) => void lead(),
  post: () => undefined,
  listen: () => undefined,
  onLeave,
});

/** @returns browser facilities, or the single-tab fallback */
export const readSurroundings = (): Surroundings => {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return alone();
  const channel = new BroadcastChannel(NAME);

  return {
    tab: crypto.randomUUID(),
    elect: (lead) => void navigator.locks.request(NAME, lead).catch(() => undefined),
    // Channels are limited to this origin.
    post: (message) => channel.postMessage(message),
    // Other page versions may send invalid messages.
    listen: (hear) =>
      channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        const message = messageSchema.safeParse(data);
        if (message.success) hear(message.data);
      }),
    onLeave,
  };
};
