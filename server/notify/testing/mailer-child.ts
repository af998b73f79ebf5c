import { text } from "node:stream/consumers";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { workNotifications } from "@/server/notify/notifications";
import { channelTo, createStandDeps } from "@/server/notify/testing/notifications";

export type MailerOrder = { readonly url: string; readonly port: number };

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as MailerOrder;
await useDatabase(order.url);
await workNotifications(createStandDeps(systemClock, { mail: channelTo(order.port) }), new AbortController().signal);
