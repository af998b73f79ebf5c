import { text } from "node:stream/consumers";
import { systemClock } from "@/server/clock";
import { useDatabase } from "@/server/db/client";
import { workWebhooks } from "@/server/notify/worker";
import { sendBy } from "@/server/notify/send";
import { createEgress } from "@/server/security/egress";
import { createVault } from "@/server/security/vault";

export type NotifierOrder = { readonly url: string; readonly vaultKey: string; readonly allowOrigins: readonly string[] };

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as NotifierOrder;
await useDatabase(order.url);
const egress = createEgress({ policy: { allowOrigins: order.allowOrigins } });
await workWebhooks(
  {
    clock: systemClock,
    vault: createVault(order.vaultKey),
    send: sendBy(egress),
    origin: "http://localhost:3000",
    describe: () => Promise.resolve(null),
  },
  new AbortController().signal,
);
