import { text } from "node:stream/consumers";
import { closeDatabase, useDatabase } from "@/server/db/client";
import { rotateBatch } from "@/server/runner/rotation";
import { createVault } from "@/server/security/vault";

export type RotationOrder = { readonly url: string; readonly keys: string; readonly batch: number; readonly dieAfterKey: number };

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as RotationOrder;
await useDatabase(order.url);
const vault = createVault(order.keys);
let keys = 0;
const dying = {
  ...vault,
  rewrapKey: (...cell: Parameters<typeof vault.rewrapKey>) => {
    keys += 1;
    if (keys === order.dieAfterKey) process.kill(process.pid, "SIGKILL");

    return vault.rewrapKey(...cell);
  },
};
while ((await rotateBatch(dying, order.batch)) === "more");
await closeDatabase();
