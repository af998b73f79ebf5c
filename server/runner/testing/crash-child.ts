import { flushCompileCache } from "node:module";
import { text } from "node:stream/consumers";
import { systemClock } from "@/server/clock";
import { closeDatabase, useDatabase } from "@/server/db/client";
import type { Installation } from "@/server/mcp/programs/installation";
import { useSameModels } from "@/server/models/contract";
import type { Script } from "@/server/models/scripted/script";
import { createScriptModels } from "@/server/models/scripted/script-models";
import type { TestDatabase } from "@/server/testing/database";
import { driveRun } from "@/server/runner/drive";
import { deskDeps, type Desk } from "@/server/runner/testing/desk";

export type CrashOrder = {
  readonly urls: TestDatabase;
  readonly installation: Installation;
  readonly keys: Desk["keys"];
  readonly workspace: string;
  readonly runId: string;
  readonly leaseMs: number;
  readonly dieAfterRecord: number | null;
  readonly dieAfterCall: number | null;
  readonly dieBeforeTool?: string;
  readonly script?: Script;
};

// A killed process writes none.
flushCompileCache();

const die = () => process.kill(process.pid, "SIGKILL");

// Only the spawning test writes this process's stdin.
const order = JSON.parse(await text(process.stdin)) as CrashOrder;
await useDatabase(order.urls.runner);
const { deps, mcp } = await deskDeps(order.urls, order.installation, order.keys, order.leaseMs);
const models = order.script ? createScriptModels(order.script, systemClock) : await deps.modelsFor(order.workspace);
let records = 0;
let calls = 0;
const afterCall = <T>(answer: T): T => {
  calls += 1;
  if (calls === order.dieAfterCall) die();

  return answer;
};
await driveRun(
  {
    ...deps,
    notify: () => {
      records += 1;
      if (records === order.dieAfterRecord) die();
    },
    mcp: {
      ...mcp,
      call: (call, signal) => {
        if (call.tool !== order.dieBeforeTool) return mcp.call(call, signal).then(afterCall);
        die();

        return new Promise(() => undefined);
      },
    },
    modelsFor: useSameModels({ ...models, generate: (request, signal) => models.generate(request, signal).then(afterCall) }),
  },
  { onWake: () => () => undefined },
  order.workspace,
  order.runId,
);
await mcp.close();
await closeDatabase();
