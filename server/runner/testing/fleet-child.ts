import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { closeDatabase, useDatabase } from "@/server/db/client";
import type { Installation } from "@/server/mcp/programs/installation";
import { startDispatcher } from "@/server/runner/dispatch";
import { deskDeps, type Desk } from "@/server/runner/testing/desk";
import type { TestDatabase } from "@/server/testing/database";

export type FleetOrder = {
  readonly urls: TestDatabase;
  readonly installation: Installation;
  readonly keys: Desk["keys"];
  readonly leaseMs: number;
  readonly drainMs?: number;
  readonly stop?: { readonly at: "before_store" | "after_store"; readonly record: number };
  readonly slowModelMs?: number;
  readonly concurrency?: number;
  readonly perWorkspace?: number;
};

const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const pause = () => process.kill(process.pid, "SIGSTOP");

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as FleetOrder;
const { urls, installation, keys, leaseMs, stop, slowModelMs = 0 } = order;
await useDatabase(urls.runner);
const { deps, mcp } = await deskDeps(urls, installation, keys, leaseMs);
let signed = 0;
let stored = 0;
const dispatcher = await startDispatcher(
  {
    ...deps,
    signer: {
      kid: deps.signer.kid,
      publicKey: deps.signer.publicKey,
      signReceipt: (payload) => deps.signer.signReceipt(payload),
      signDigest: (digest) => {
        signed += 1;
        say({ signed: digest });
        const signature = deps.signer.signDigest(digest);
        if (stop?.at === "before_store" && signed === stop.record) pause();

        return signature;
      },
    },
    notify: () => {
      stored += 1;
      if (stop?.at === "after_store" && stored === stop.record) pause();
    },
    mcp: {
      ...mcp,
      call: (call, signal) => {
        say({ called: call.tool });

        return mcp.call(call, signal);
      },
    },
    modelsFor: async (workspace) => {
      const models = await deps.modelsFor(workspace);

      return {
        ...models,
        generate: async (request, signal) => {
          say({ asked: request.node });
          await wait(slowModelMs, undefined, { signal });

          return models.generate(request, signal);
        },
      };
    },
  },
  urls.runner,
  { concurrency: order.concurrency ?? 64, perWorkspace: order.perWorkspace },
);
process.once("SIGTERM", () => {
  void dispatcher
    .close(order.drainMs ?? 25_000)
    .then(() => Promise.all([mcp.close(), closeDatabase()]))
    .then(() => process.exit(0));
});
say({ msg: "the runner is ready" });
