import { text } from "node:stream/consumers";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { workNotifications } from "@/server/notify/notifications";
import { channelTo, describeStand } from "@/server/notify/testing/notifications";

export type MailerOrder = { readonly url: string; readonly port: number };

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as MailerOrder;
await useDatabase(order.url);
await workNotifications(
  { clock: systemClock, deliver: channelTo(order.port), origin: "http://localhost:3000", describe: describeStand },
  new AbortController().signal,
);
